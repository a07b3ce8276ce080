//! A log reads back whole, whoever else wrote in it.

use base::Tz;
use proptest::prelude::*;

use super::super::block::render;
use super::super::kit::block;
use super::*;

fn log() -> String {
    let rendered = render(
        &block(&[("Task Progress", "one|two"), ("Issues Found", "three")]),
        Tz::UTC,
    );
    format!("# 2026-04-20\n\nmine\n\n{rendered}\nmine too\nand this\n")
}

fn range(start: usize, end: usize) -> LineRange {
    LineRange { start, end }
}

fn parsed_note(text: &str, section: &str, line: usize) -> ParsedNote {
    let (session, span) = (SessionId::new("s"), span());
    ParsedNote {
        id: NoteId::of(&session, &span, section, text),
        section: Some(section.into()),
        text: text.into(),
        evidence: vec![EntryId::new("e2")],
        origin: Origin::Agent,
        is_as_written: true,
        line,
    }
}

fn span() -> (EntryId, EntryId) {
    (EntryId::new("e1"), EntryId::new("e9"))
}

/// What [`log`] holds.
fn expected() -> ParsedLog {
    ParsedLog {
        blocks: vec![ParsedBlock {
            session: SessionId::new("s"),
            epoch: 2,
            span: span(),
            kind: Some(BlockKind::PreFlush),
            state: BlockState::Closed,
            lines: range(5, 14),
            notes: vec![
                parsed_note("one", "Task Progress", 9),
                parsed_note("two", "Task Progress", 10),
                parsed_note("three", "Issues Found", 13),
            ],
        }],
        by_hand: vec![range(3, 3), range(16, 17)],
    }
}

#[test]
fn a_log_reads_back() {
    assert_eq!(parse(&log()), expected());
}

#[test]
fn other_line_ends_change_nothing() {
    assert_eq!(parse(&log().replace('\n', "\r\n")), expected());
    assert_eq!(parse(log().trim_end()), expected());
}

#[test]
fn an_edited_note_is_reported_and_its_block_too() {
    let mut expected = expected();
    let block = &mut expected.blocks[0];
    block.state = BlockState::Edited;
    block.notes[1].text = "two and a half".into();
    block.notes[1].is_as_written = false;
    assert_eq!(parse(&log().replace("- two", "- two and a half")), expected);
}

#[test]
fn lines_by_hand_inside_a_block_are_the_owners() {
    let mut expected = expected();
    expected.by_hand.insert(1, range(11, 11));
    let block = &mut expected.blocks[0];
    block.state = BlockState::Edited;
    block.lines = range(5, 15);
    block.notes[2].line = 14;
    expected.by_hand[2] = range(17, 18);
    let text = log().replace("\n\n**Issues", "\nmy own line\n\n**Issues");
    assert_eq!(parse(&text), expected);
}

#[test]
fn a_block_without_its_end_is_torn_and_ends_with_what_is_known_to_be_ours() {
    let text = log();
    let closing = text.lines().find(|line| closing(line).is_some()).unwrap();
    let mut expected = expected();
    expected.by_hand[1] = range(15, 16);
    expected.blocks[0].state = BlockState::Torn;
    expected.blocks[0].lines = range(5, 13);
    // What says whence they are known went with the closing mark.
    for note in &mut expected.blocks[0].notes {
        note.evidence.clear();
    }
    assert_eq!(parse(&text.replace(&format!("{closing}\n"), "")), expected);
}

#[test]
fn a_block_that_was_never_finished_ends_where_the_next_begins() {
    let rendered = render(&block(&[("Issues Found", "x")]), Tz::UTC);
    let torn: Vec<&str> = rendered.lines().take(5).collect();
    let log = parse(&format!("{}\n\n{rendered}", torn.join("\n")));
    let blocks: Vec<_> = log
        .blocks
        .iter()
        .map(|block| (block.state, block.lines))
        .collect();
    assert_eq!(
        blocks,
        [
            (BlockState::Torn, range(1, 5)),
            (BlockState::Closed, range(7, 12)),
        ]
    );
    assert_eq!(log.by_hand, []);
}

#[test]
fn a_reader_sees_no_comments_of_ours() {
    let text = format!(
        "{}- torn <!-- n:1a2b e:\n- mine <!-- keep --> so\n- mine <!-- n:1 --> so\n<!-- /flush 12",
        log()
    );
    let expected = "\
# 2026-04-20

mine

## 14:23 \u{2014} Compaction Pre-flush

**Task Progress:**
- one
- two

**Issues Found:**
- three

mine too
and this
- torn
- mine <!-- keep --> so
- mine <!-- n:1 --> so
";
    assert_eq!(without_comments(&text), expected);
}

proptest! {
    #[test]
    fn i16_any_text_can_be_read(text in "(?s).*") {
        parse(&text);
        without_comments(&text);
    }

    /// Every line of a log is ours, the owner's, or blank, and whoever has it has it once.
    #[test]
    fn i16_any_mixture_of_lines_can_be_read(
        picks in prop::collection::vec((0..20_usize, 0..40_usize), 0..30),
    ) {
        let source = log();
        let source: Vec<&str> = source.lines().collect();
        let lines: Vec<String> = picks
            .iter()
            .map(|(line, cut)| source[line % source.len()].chars().skip(cut % 7 / 6).take(*cut * 4).collect())
            .collect();
        let log = parse(&lines.join("\n"));
        let mut last = 0;
        for block in &log.blocks {
            prop_assert!(block.lines.start > last && block.lines.end >= block.lines.start);
            last = block.lines.end;
        }
        prop_assert!(last <= lines.len());
        prop_assert!(log.by_hand.windows(2).all(|pair| pair[0].end < pair[1].start));
    }
}
