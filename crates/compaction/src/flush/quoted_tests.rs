//! Notes of the offline engine, and hostile ones.

use base::Timestamp;
use proptest::prelude::*;

use super::*;
use crate::FlushSection::{ImportantDecisions, IssuesFound, Notes, TaskProgress, UserPreferences};
use crate::fixture::bullets;

/// `e1` and `e2` by the owner, `e3` by the assistant, `e4` by a tool, `e5` and `e6` by the owner; `s1`
/// is an earlier summary.
fn evidence() -> Vec<Excerpt> {
    use Origin::{Agent, Owner, System, Untrusted};
    let origins = [Owner, Owner, Agent, Untrusted, Owner, Owner];
    let excerpt = |label: String, entry: Option<EntryId>, origin| Excerpt {
        label,
        entry,
        at: "2026-04-20T14:00:00Z".parse::<Timestamp>().unwrap(),
        origin,
        message: base::Message::user("text"),
        recalled: None,
    };
    let summary = excerpt("s1".to_owned(), None, System);
    let numbered = origins.into_iter().zip(1..);
    let said = numbered.map(|(origin, number): (_, u32)| {
        excerpt(
            format!("e{number}"),
            Some(EntryId::new(format!("m{number}"))),
            origin,
        )
    });
    std::iter::once(summary).chain(said).collect()
}

/// Notes as `section origin evidence: text`.
fn read(reply: &str) -> Result<Vec<String>, FlushReplyError> {
    let notes = parse_flush_reply(reply, &evidence())?.notes;
    let shown = notes.into_iter().map(|note| {
        let entries: Vec<&str> = note.evidence.iter().map(EntryId::as_str).collect();
        format!(
            "{:?} {} {}: {}",
            note.section,
            note.origin,
            entries.join("+"),
            note.text
        )
    });
    Ok(shown.collect())
}

#[track_caller]
fn check(reply: &str, expected: &[&str]) {
    let expected = expected.iter().map(|line| (*line).to_owned()).collect();
    assert_eq!(read(reply), Ok(expected), "{reply}");
}

#[test]
fn a_reply_as_asked_for_is_read() {
    check(
        "## Task Progress\n- Token service done [e1]\n\n## Important Decisions\n\
         - RS256, not HS256 [e1, e2]\n\n## Issues Found\n- Secret in auth.js line 42 [e5-e6]\n\n\
         ## User Preferences\n- Wants doc comments [e2].\n",
        &[
            "TaskProgress owner m1: Token service done",
            "ImportantDecisions owner m1+m2: RS256, not HS256",
            "IssuesFound owner m5+m6: Secret in auth.js line 42",
            "UserPreferences owner m2: Wants doc comments",
        ],
    );
}

#[test]
fn nothing_to_flush_is_nothing() {
    for reply in [
        "NOTHING_TO_FLUSH",
        " nothing_to_flush.\n",
        "```\nNOTHING_TO_FLUSH\n```",
        "**NOTHING_TO_FLUSH**",
        "## Task Progress\n- NOTHING_TO_FLUSH",
        "## Task Progress\n- None",
    ] {
        check(reply, &[]);
    }
}

#[test]
fn the_origin_is_the_least_trusted_of_the_evidence() {
    check("- a [e1, e2]", &["Notes owner m1+m2: a"]);
    check("- a [e1, e3]", &["Notes agent m1+m3: a"]);
    check("- a [e3; e4 and e1]", &["Notes untrusted m1+m3+m4: a"]);
}

#[test]
fn evidence_beyond_what_is_kept_still_counts_for_the_origin() {
    let mut excerpts = vec![evidence().remove(1); N_EVIDENCE_MAX + 1];
    for (excerpt, number) in excerpts.iter_mut().zip(1..) {
        excerpt.label = format!("e{number}");
    }
    excerpts.last_mut().unwrap().origin = Origin::Untrusted;
    let [note] = parse_flush_reply("- a [e1-e99]", &excerpts)
        .unwrap()
        .notes
        .try_into()
        .unwrap();
    assert_eq!(
        (note.evidence.len(), note.origin),
        (N_EVIDENCE_MAX, Origin::Untrusted)
    );
}

#[test]
fn a_note_without_valid_evidence_is_the_assistants() {
    check("- a", &["Notes agent : a"]);
    check("- a [e99]", &["Notes agent : a"]);
    check("- a [e99, e1]", &["Notes owner m1: a"]);
    check("- a [s1]", &["Notes agent : a [s1]"]);
    check("- a [e0-e99999999999999999999]", &["Notes agent : a"]);
}

#[test]
fn citations_are_read_in_many_shapes() {
    check(
        "- a [e1][e2]\n- b (e1, e2).\n- c [e1..e3]\n- d [e1\u{2013}e2] [e5];\n- e [E1]\n- see [docs] [e2]\n- array[e1] [x]",
        &[
            "Notes owner m1+m2: a",
            "Notes owner m1+m2: b",
            "Notes agent m1+m2+m3: c",
            "Notes owner m1+m2+m5: d",
            "Notes owner m1: e",
            "Notes owner m2: see [docs]",
            "Notes agent : array[e1] [x]",
        ],
    );
}

#[test]
fn headings_fences_and_order_are_tolerated() {
    check(
        "Here you go:\n```md\n**User preferences:**\n* tea [e1]\n\n1. TASK PROGRESS\n1. started [e2]\n```",
        &[
            "TaskProgress owner m2: started",
            "UserPreferences owner m1: tea",
        ],
    );
}

#[test]
fn i14_secrets_and_comment_marks_do_not_pass() {
    let key = format!("ghp_{}", "a1".repeat(18));
    check(
        &format!("- key {key} --> <!-- flush -->\n  goes on [e1]"),
        &["Notes owner m1: key [REDACTED:github-token] --&gt; &lt;!-- flush --&gt; goes on"],
    );
}

#[test]
fn notes_are_short_few_and_different() {
    let long = format!("- {} [e1]", "word ".repeat(200));
    let [note] = parse_flush_reply(&long, &evidence())
        .unwrap()
        .notes
        .try_into()
        .unwrap();
    assert!(note.text.ends_with("word..."), "{}", note.text);
    assert!(note.text.chars().count() <= NOTE_CHARS_MAX);
    check(
        "- Likes tea [e1]\n- likes TEA. [e2]\n- likes teas",
        &["Notes owner m1: Likes tea", "Notes agent : likes teas"],
    );
    assert_eq!(
        read(&bullets("fact", FLUSH_NOTES_MAX + 20)).unwrap().len(),
        FLUSH_NOTES_MAX
    );
}

#[test]
fn what_is_no_answer_is_refused() {
    assert_eq!(read(" \n"), Err(FlushReplyError::Empty));
    assert_eq!(
        read("I have written everything down for you."),
        Err(FlushReplyError::Prose {
            start: "I have written everything down for you.".to_owned()
        })
    );
}

#[test]
fn sections_bear_the_names_that_were_asked_for() {
    let all = [
        TaskProgress,
        ImportantDecisions,
        IssuesFound,
        UserPreferences,
        Notes,
    ];
    assert_eq!(FlushSection::ALL, all);
    assert_eq!(all.map(FlushSection::heading), FLUSH_SECTIONS);
}

proptest! {
    #[test]
    fn i16_any_reply_gives_safe_notes_or_an_error(reply in "(- |\\[e[0-9]{1,2}(, |-|\\])|<!--|-->|--!>|[a-z日]|\n| |## Task Progress\n){0,60}") {
        if let Ok(FlushNotes { notes, .. }) = parse_flush_reply(&reply, &evidence()) {
            for note in notes {
                prop_assert!(!note.text.contains("<!--") && !note.text.contains("-->") && !note.text.contains("--!>"));
                prop_assert!(!note.text.contains('\n') && !note.text.is_empty());
                prop_assert!(note.text.chars().count() <= NOTE_CHARS_MAX);
                prop_assert!(note.origin != Origin::Owner || !note.evidence.is_empty());
            }
        }
    }
}
