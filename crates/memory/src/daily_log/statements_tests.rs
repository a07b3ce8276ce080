//! Cases in which a note may be left out, and cases in which it may not.

use super::*;
use crate::NoteText;
use crate::ledger::earlier_line;

fn says(log: &str, note: &str) -> bool {
    says_by(log, note, Origin::Agent)
}

fn says_by(log: &str, note: &str, origin: Origin) -> bool {
    let read = NoteText::alone(log);
    let says = Statements::of(read.lines().iter()).says(note, origin);
    assert!(may_say(log, note) || !says, "{log:?} {note:?}");
    says
}

#[test]
fn says_ignores_case_marks_and_spaces() {
    assert!(says("- Uses RS256", "uses  rs256."));
    assert!(says("> Uses RS256.\r\n", "Uses RS256"));
    assert!(says("We met. Uses RS256; no HS256.", "uses rs256"));
    assert!(says("今日は晴れ。猫が好き。", "猫が好き"));
    assert!(says("ÄRGER mit TLS", "Ärger mit tls"));
}

#[test]
fn sentence_fragment_does_not_count_as_said() {
    assert!(!says("Do not use tabs", "use tabs"));
    assert!(!says("Use tabs only in Makefiles", "use tabs"));
    assert!(!says("Rejected: use tabs", "use tabs"));
    assert!(!says("Use tabs?", "Use tabs"));
    assert!(!says("Needs version 1.2", "Needs version 1"));
    assert!(!says("nothing", ""));
    assert!(!says("nothing", "?!"));
}

#[test]
fn owners_note_is_not_suppressed_by_less_trusted_text() {
    let said_by = |origin: Origin| earlier_line("1", "Likes tea", &["e"], origin);
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

#[test]
fn note_is_compared_with_lines_that_contain_its_rarest_word() {
    let lines = (0..1_000).map(|gauge| format!("- Measured the same value at gauge {gauge}\n"));
    let lines: Vec<String> = lines.chain(["- Gauge 12 is broken\n".to_owned()]).collect();
    let log = lines.concat();
    let lowercase = log.to_ascii_lowercase();
    let read = |wanted| lines_with_rarest_word((&log, &lowercase), wanted);
    assert_eq!(read("gauge 12 is broken"), ["- Gauge 12 is broken"]);
    assert_eq!(read("measured the same value at gauge 7 today"), [""; 0]);
    assert_eq!(read("measured the same value at gauge 999").len(), 1);
    let chinese = "- \u{6211}\u{559c}\u{6b22}\u{732b}\n- \u{732b}\n";
    let cat = lines_with_rarest_word((chinese, chinese), "\u{559c}\u{6b22}\u{732b}");
    assert_eq!(cat, ["- \u{6211}\u{559c}\u{6b22}\u{732b}"]);
}
