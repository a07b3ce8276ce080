//! A note is one line without secrets or comment marks.

use proptest::prelude::*;

use super::*;

#[track_caller]
fn check_prepared(text: &str, expected: &str) {
    assert_eq!(prepare(text), expected);
}

#[test]
fn prepare_makes_note_single_line() {
    check_prepared(
        "  two\r\nlines\u{2028}and\ta tab\u{85}",
        "two lines and a tab",
    );
    check_prepared("bell\u{7}less", "bellless");
    check_prepared("日記 🙂 é", "日記 🙂 é");
    check_prepared(" \n ", "");
}

#[test]
fn prepare_escapes_comment_marks() {
    check_prepared(
        "x <!-- n:1 e: h:00000000 o:owner --> y",
        "x &lt;!-- n:1 e: h:00000000 o:owner --&gt; y",
    );
    check_prepared("<\u{1}!--", "&lt;!--");
    check_prepared("<!---->", "&lt;!----&gt;");
}

#[test]
fn prepare_cuts_long_note_with_ellipsis() {
    let prepared = prepare(&"ä".repeat(NOTE_CHARS_MAX + 1));
    assert_eq!(prepared, format!("{} \u{2026}", "ä".repeat(NOTE_CHARS_MAX)));
    let exact = "ä".repeat(NOTE_CHARS_MAX);
    check_prepared(&exact, &exact);
}

#[test]
fn i14_prepare_redacts_secrets() {
    // Built from parts, so that no scanner takes this file for a leak.
    let secret = format!("AKIA{}", "A1B2C3D4E5F6G7H8");
    let hidden = secret.replace("A1B2", "A1\u{0}B2");
    check_prepared(
        &format!("the key\nis {hidden} now"),
        "the key is [REDACTED:aws-key] now",
    );
    let at_the_cut = format!("{} {secret}", "x".repeat(NOTE_CHARS_MAX - 10));
    assert!(!prepare(&at_the_cut).contains("AKIA"));
}

#[test]
fn note_without_evidence_has_no_owner_origin() {
    let origin_of = |evidence: &[EntryId], origin| {
        let note = Note {
            text: "text".to_owned(),
            evidence: evidence.to_vec(),
            origin,
        };
        note.record("", &NoteId::new("1a2b3c4d"), "text").origin
    };
    let entry = [EntryId::new("e1")];
    assert_eq!(origin_of(&entry, Origin::Owner), Origin::Owner);
    assert_eq!(origin_of(&[], Origin::Owner), Origin::Agent);
    assert_eq!(origin_of(&[], Origin::Untrusted), Origin::Untrusted);
}

proptest! {
    #[test]
    fn prepare_is_idempotent(text in "(?s).{0,80}") {
        let once = prepare(&text);
        prop_assert_eq!(prepare(&once), once);
    }

    #[test]
    fn i16_encoded_text_decodes_back(text in "(?s).*") {
        prop_assert_eq!(decode(&encode(&text)), text.as_str());
        decode(&text);
    }
}
