//! The text of a block, byte for byte.

use base::Origin;

use super::super::kit::block;
use super::*;

#[test]
fn block_renders_headings_notes_and_marks() {
    let mut block = block(&[
        ("Task Progress", "Tokens are signed|tokens are  SIGNED"),
        ("Important Decisions", " "),
        ("Issues Found", ""),
    ]);
    let preference = Note {
        text: "Wants short\nanswers".into(),
        evidence: vec![EntryId::new("e3"), EntryId::new("e 4")],
        origin: Origin::Owner,
    };
    let preferences = ("User Preferences".to_owned(), vec![preference]);
    block.sections.push(preferences);
    let expected = "\
## 16:23 \u{2014} Compaction Pre-flush

**Task Progress:**
- Tokens are signed ^618f022d

**User Preferences:**
- Wants short answers ^6e8593f2
";
    let berlin = Tz::named("Europe/Berlin").unwrap();
    let found = rendered(&block, "memory/2026-04-20.md", berlin, |_, _, _| true);
    assert_eq!(found.text, expected);
    let records: Vec<String> = found.records.iter().map(NoteRecord::line).collect();
    let start =
        r#"{"id":"6e8593f2","file":"memory/2026-04-20.md","hash":"e4b84e74","origin":"owner""#;
    let rest = r#","evidence":["e3","e%204"],"session":"s","epoch":2,"span":["e1","e9"]}"#;
    assert_eq!(records.len(), 2);
    assert_eq!(records[1], format!("{start}{rest}\n"));
}

#[test]
fn i12_block_heading_shows_owners_time_and_kind() {
    let block = FlushBlock {
        kind: BlockKind::SessionNotes,
        ..block(&[("Issues Found", "x")])
    };
    let heading = |timezone| {
        let rendered = render(&block, timezone);
        rendered.lines().next().unwrap().to_owned()
    };
    assert_eq!(heading(Tz::UTC), "## 14:23 \u{2014} Session Notes");
    assert_eq!(
        heading(Tz::named("Asia/Kolkata").unwrap()),
        "## 19:53 \u{2014} Session Notes"
    );
}

#[test]
fn block_without_notes_renders_empty() {
    assert_eq!(render(&block(&[]), Tz::UTC), "");
    assert_eq!(render(&block(&[("Task Progress", " |\n")]), Tz::UTC), "");
}

#[test]
fn i14_neither_titles_nor_notes_show_secrets() {
    let secret = format!("ghp_{}", "a1B2c3D4e5".repeat(4));
    let rendered = render(&block(&[(&secret, &secret)]), Tz::UTC);
    assert!(!rendered.contains("ghp_"), "{rendered}");
    assert_eq!(rendered.matches("[REDACTED:github-token]").count(), 2);
}
