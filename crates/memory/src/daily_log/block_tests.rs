//! What a block looks like, to the byte.

use base::Origin;

use super::super::kit::block;
use super::*;

#[test]
fn a_block_looks_like_this() {
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
<!-- flush session=s epoch=2 span=e1..e9 -->
## 16:23 \u{2014} Compaction Pre-flush

**Task Progress:**
- Tokens are signed ^618f022d

**User Preferences:**
- Wants short answers ^6e8593f2
<!-- /flush b00f3876 ^618f022d e:e2 h:577d7c3e o:agent ^6e8593f2 e:e3,e%204 h:e4b84e74 o:owner -->
";
    assert_eq!(
        render(&block, Tz::named("Europe/Berlin").unwrap()),
        expected
    );
}

#[test]
fn i12_the_heading_shows_the_owners_time_and_the_kind() {
    let block = FlushBlock {
        kind: BlockKind::SessionNotes,
        ..block(&[("Issues Found", "x")])
    };
    let heading = |timezone| {
        let rendered = render(&block, timezone);
        rendered.lines().nth(1).unwrap().to_owned()
    };
    assert_eq!(heading(Tz::UTC), "## 14:23 \u{2014} Session Notes");
    assert_eq!(
        heading(Tz::named("Asia/Kolkata").unwrap()),
        "## 19:53 \u{2014} Session Notes"
    );
}

#[test]
fn a_block_without_notes_is_nothing() {
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

#[test]
fn ids_that_would_break_the_marks_are_spelled_out() {
    let block = FlushBlock {
        session: SessionId::new("a b-->\n"),
        span: (EntryId::new("x..y"), EntryId::new("日")),
        ..block(&[("Issues Found", "x")])
    };
    let rendered = render(&block, Tz::UTC);
    assert_eq!(
        rendered.lines().next(),
        Some("<!-- flush session=a%20b--%3E%0A epoch=2 span=x%2E%2Ey..%E6%97%A5 -->")
    );
    let read = &super::super::parse(&rendered).blocks[0];
    assert_eq!((&read.session, &read.span), (&block.session, &block.span));
}
