//! A note is one line without secrets or comment marks, and reads back as it was written.

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
    let id = NoteId::new("1a2b3c4d");
    let origin_of = |evidence: &[EntryId], origin| {
        let line = render(&id, "text", evidence, origin);
        parse(&line).unwrap().origin
    };
    let entry = [EntryId::new("e1")];
    assert_eq!(origin_of(&entry, Origin::Owner), Origin::Owner);
    assert_eq!(origin_of(&[], Origin::Owner), Origin::Agent);
    assert_eq!(origin_of(&[], Origin::Untrusted), Origin::Untrusted);
}

#[test]
fn note_line_parses_after_editing() {
    let line = "- Uses RS256 <!-- n:1a2b3c4d e:e1,e%2C2 h:bb0f7a31 o:agent -->";
    let read = NoteLine {
        id: NoteId::new("1a2b3c4d"),
        text: "Uses RS256".into(),
        evidence: vec![EntryId::new("e1"), EntryId::new("e,2")],
        origin: Origin::Agent,
        hash: "bb0f7a31".into(),
        session: None,
    };
    assert_eq!(parse(line), Some(read.clone()));
    assert_eq!(
        parse(&line.replace("- Uses", "  *  Uses")),
        Some(read.clone())
    );
    let edited = NoteLine {
        text: "Uses ES256".into(),
        ..read
    };
    assert_eq!(parse(&line.replace("RS", "ES")), Some(edited));
    for other in [
        "- by hand",
        "- by hand <!-- n:1 -->",
        &format!("{line} more"),
        &line.replace("agent", "king"),
    ] {
        assert_eq!(parse(other), None, "{other}");
    }
}

#[test]
fn line_with_mark_alone_is_the_assistants() {
    let read = parse("  * Uses  RS256 ^1a2b3c4d ").unwrap();
    assert_eq!((read.id.as_str(), read.origin), ("1a2b3c4d", Origin::Agent));
    assert_eq!(read.text, "Uses  RS256");
    assert!(read.is_as_written());
    for other in [
        "- see ^abc123",
        "words ^0123abcd",
        "- mine ^my-block",
        "- x^0123abcd",
    ] {
        assert_eq!(parse(other), None, "{other}");
    }
}

proptest! {
    #[test]
    fn rendered_note_parses_back(
        text in "(?s).{0,80}",
        evidence in prop::collection::vec("(?s).{1,12}", 0..4),
    ) {
        let text = prepare(&text);
        prop_assume!(!text.is_empty());
        let evidence: Vec<EntryId> = evidence.into_iter().map(EntryId::new).collect();
        let id = NoteId::of(&SessionId::new("s"), &(EntryId::new("a"), EntryId::new("b")), "t", &text);
        let line = render(&id, &text, &evidence, Origin::Untrusted);
        prop_assert_eq!(line.lines().count(), 1);
        let read = parse(&line).unwrap();
        prop_assert!(read.is_as_written());
        prop_assert_eq!((read.id, read.text, read.evidence), (id, text, evidence));
    }

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
