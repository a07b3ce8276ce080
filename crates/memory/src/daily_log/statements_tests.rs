//! When a note may be left out, and when it may not.

use super::super::lines::lines;
use super::*;

fn says(log: &str, note: &str) -> bool {
    says_by(log, note, Origin::Agent)
}

fn says_by(log: &str, note: &str, origin: Origin) -> bool {
    let says = Statements::of(lines(log).iter()).says(note, origin);
    assert!(may_say(log, note) || !says, "{log:?} {note:?}");
    says
}

#[test]
fn the_same_words_say_the_same() {
    assert!(says("- Uses RS256", "uses  rs256."));
    assert!(says("> Uses RS256.\r\n", "Uses RS256"));
    assert!(says("We met. Uses RS256; no HS256.", "uses rs256"));
    assert!(says("今日は晴れ。猫が好き。", "猫が好き"));
    assert!(says("ÄRGER mit TLS", "Ärger mit tls"));
}

#[test]
fn a_part_of_a_sentence_says_something_else() {
    assert!(!says("Do not use tabs", "use tabs"));
    assert!(!says("Use tabs only in Makefiles", "use tabs"));
    assert!(!says("Rejected: use tabs", "use tabs"));
    assert!(!says("Use tabs?", "Use tabs"));
    assert!(!says("Needs version 1.2", "Needs version 1"));
    assert!(!says("nothing", ""));
    assert!(!says("nothing", "?!"));
}

#[test]
fn what_outsiders_said_does_not_silence_the_owner() {
    let said_by = |origin: Origin| {
        let id = crate::NoteId::new("1");
        note::render(&id, "Likes tea", &[base::EntryId::new("e")], origin)
    };
    for (said, note, is_said) in [
        (Origin::Untrusted, Origin::Owner, false),
        (Origin::Untrusted, Origin::Agent, false),
        (Origin::Agent, Origin::Owner, false),
        (Origin::Agent, Origin::Untrusted, true),
        (Origin::Owner, Origin::Owner, true),
    ] {
        let says = says_by(&said_by(said), "likes tea", note);
        assert_eq!(says, is_said, "{said:?} {note:?}");
    }
    assert!(says_by("likes tea", "likes tea", Origin::Owner));
}
