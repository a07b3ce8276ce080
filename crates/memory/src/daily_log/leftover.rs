//! Finds the leftovers of a flush that was never finished.
//!
//! Pure; never selects a line that the owner may have written.

use std::collections::BTreeSet;

use base::{EntryId, FLUSH_SECTIONS, SessionId};

use super::block::title_line;
use super::extent::Extent;
use super::lines::{
    BlockKind, CLOSING, LogLine, NOT_UTF8, OPENING, Opening, heading, opening, title,
};
use crate::note::{self, NoteId};

/// The indexes of the lines that a new block of this session and span replaces.
///
/// These are unfinished blocks of the same session whose span starts where the new one does; and, of any session,
/// torn opening marks and a partial line at the very end of the log. A flushed span is never started again, so
/// a block whose closing mark the owner deleted is not among them.
pub(crate) fn leftovers(
    lines: &[LogLine<'_>],
    extents: &[Extent],
    session: &SessionId,
    span: &(EntryId, EntryId),
) -> BTreeSet<usize> {
    // A torn opening mark opens no block.
    let mut replaced: BTreeSet<usize> = (0..lines.len())
        .filter(|idx| is_torn_mark(OPENING, lines.get(*idx).map_or("", |line| line.text)))
        .collect();
    for extent in extents
        .iter()
        .filter(|extent| extent.closing_hash.is_none())
    {
        let is_replaced = extent.opening.session == *session && extent.opening.span.0 == span.0;
        replaced.extend(own_lines(extent, lines).into_iter().filter(|idx| {
            let is_part = |line: &LogLine<'_>| !line.is_ended && !is_complete(line.text);
            is_replaced || lines.get(*idx).is_some_and(is_part)
        }));
    }
    replaced
}

/// The indexes of our own lines in an unfinished block, starting with the opening mark.
///
/// These are the opening mark; our heading, and titles with our text below; notes that are exactly as written,
/// anywhere; one blank line between lines of ours; and a line without a newline at the end of the log that starts
/// like one of ours, if no foreign line precedes it.
pub(crate) fn own_lines(extent: &Extent, lines: &[LogLine<'_>]) -> BTreeSet<usize> {
    let opening = &extent.opening;
    let mut own = BTreeSet::new();
    let mut scan = BlockScan::default();
    for line_idx in extent.lines.clone() {
        let Some(line) = lines.get(line_idx) else {
            break;
        };
        let below = lines
            .get(line_idx + 1..extent.lines.end)
            .unwrap_or_default();
        let is_own = line_idx == extent.lines.start
            || scan.is_written_note(opening, line.text)
            || scan.is_own_title(opening, line.text, below)
            || scan.is_own_heading(line.text, below)
            || scan.is_torn(line);
        scan.is_disturbed |= !is_own && !is_blank(line.text);
        if is_own {
            own.insert(line_idx);
        }
    }
    let blank = own_blank_lines(extent, lines, &own);
    own.extend(blank);
    own
}

/// The state of a scan over an unfinished block.
#[derive(Debug, Default)]
struct BlockScan {
    /// Whether there was a foreign line so far; blank lines do not count.
    is_disturbed: bool,
    has_heading: bool,
    section: Option<String>,
}

impl BlockScan {
    /// Also finds notes below a title that the owner inserted.
    fn is_written_note(&self, opening: &Opening, line: &str) -> bool {
        let sections = FLUSH_SECTIONS.into_iter().chain(self.section.as_deref());
        is_torn_note(line)
            || sections.into_iter().any(|section| {
                is_written_note(opening, section, line) || has_torn_mark(opening, section, line)
            })
    }

    /// A title above foreign text is kept as its heading.
    fn is_own_title(&mut self, opening: &Opening, line: &str, below: &[LogLine<'_>]) -> bool {
        let Some(title) = title(line) else {
            return false;
        };
        self.section = Some(title.to_owned());
        let heads_note = below
            .first()
            .is_some_and(|next| is_written_note(opening, title, next.text));
        let heads_torn_line = below
            .first()
            .is_some_and(|next| !next.is_ended && is_torn_line(next.text));
        let heads_nothing = below.iter().all(|line| is_blank(line.text));
        let is_known = FLUSH_SECTIONS.contains(&title) && title_line(title) == line;
        heads_note || is_known && !self.is_disturbed && (heads_torn_line || heads_nothing)
    }

    /// Only the last line of a log can lack its newline.
    fn is_torn(&self, line: &LogLine<'_>) -> bool {
        let is_torn = !line.is_ended && is_torn_line(line.text);
        !self.is_disturbed && (is_torn || is_torn_mark(CLOSING, line.text))
    }

    /// Only right below the opening mark; like a title, a heading above foreign text is not ours.
    fn is_own_heading(&mut self, line: &str, below: &[LogLine<'_>]) -> bool {
        let is_first = !self.has_heading && self.section.is_none() && !self.is_disturbed;
        let is_apart = below.first().is_none_or(|next| is_blank(next.text));
        let words = below.iter().find(|line| !is_blank(line.text));
        let heads_ours = words.is_none_or(|next| {
            title(next.text).is_some() || !next.is_ended && is_torn_line(next.text)
        });
        let is_own = is_first && is_apart && heads_ours && heading(line).is_some();
        self.has_heading |= is_own;
        is_own
    }
}

/// Whether a flush of this span wrote exactly this line in this section.
fn is_written_note(opening: &Opening, section: &str, line: &str) -> bool {
    note::parse(line).is_some_and(|found| {
        found.render() == line
            && found.id == NoteId::of(&opening.session, &opening.span, section, &found.text)
    })
}

/// Whether the mark after a note was cut off.
fn has_torn_mark(opening: &Opening, section: &str, line: &str) -> bool {
    let parts = line.strip_prefix("- ").and_then(|it| it.rsplit_once(" ^"));
    parts.is_some_and(|(text, mark)| {
        let id = NoteId::of(&opening.session, &opening.span, section, text);
        !mark.is_empty() && id.as_str().starts_with(mark)
    })
}

/// Whether the comment after a note was cut off. The owner would not start a comment with this prefix.
fn is_torn_note(line: &str) -> bool {
    let comment = line.rsplit_once("<!-- n:").map(|(_, comment)| comment);
    line.starts_with("- ") && comment.is_some_and(|comment| !comment.contains("-->"))
}

/// The first of the blank lines between lines of ours, or between ours and the end of the log, is ours.
fn own_blank_lines(extent: &Extent, lines: &[LogLine<'_>], own: &BTreeSet<usize>) -> Vec<usize> {
    let is_blank_at = |idx: &usize| lines.get(*idx).is_some_and(|line| is_blank(line.text));
    let next_words = |idx: usize| (idx..lines.len()).find(|idx| !is_blank_at(idx));
    own.iter()
        .map(|line_idx| line_idx + 1)
        .filter(|idx| extent.lines.contains(idx) && is_blank_at(idx))
        .filter(|idx| next_words(*idx).is_none_or(|words| own.contains(&words)))
        .collect()
}

fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}

/// Whether a line lacks nothing but its newline.
fn is_complete(line: &str) -> bool {
    opening(line).is_some()
        || heading(line).is_some()
        || title(line).is_some()
        || note::parse(line).is_some()
}

/// Whether a line may be the start of one of ours.
fn is_torn_line(line: &str) -> bool {
    let titles = FLUSH_SECTIONS.map(title_line);
    !line.is_empty()
        && (is_torn("- ", line)
            || is_torn(CLOSING, line)
            || titles.iter().any(|title| title.starts_with(line))
            || is_torn_heading(line))
}

/// Whether either is a prefix of the other.
fn is_torn(beginning: &str, line: &str) -> bool {
    beginning.starts_with(line) || line.starts_with(beginning)
}

fn is_torn_heading(line: &str) -> bool {
    BlockKind::ALL.iter().any(|kind| {
        let pattern = format!("## 00:00 \u{2014} {}", kind.as_str());
        let mut expected = pattern.chars();
        line.chars().all(|found| {
            expected.next().is_some_and(|wanted| {
                let is_digit = wanted == '0' && found.is_ascii_digit();
                found == wanted || is_digit || found == NOT_UTF8
            })
        })
    })
}

/// Whether a line is a mark of ours that was cut off. The owner would not start a line with this prefix.
pub(crate) fn is_torn_mark(mark: &str, line: &str) -> bool {
    line.starts_with(mark) && !line.contains("-->")
}
