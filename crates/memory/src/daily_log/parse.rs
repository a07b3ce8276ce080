//! Parses a log into blocks with their notes and lines written by hand.
//!
//! Accepts any text; lines that it does not recognise are the owner's.

use std::collections::BTreeSet;

use base::{EntryId, LineRange, Origin, SessionId, short_hash};

use super::extent::{Extent, content_of, extents};
use super::leftover;
use super::lines::{
    BlockKind, CLOSING, LogLine, OPENING, closing, heading, is_day_header, lines, opening, title,
};
use crate::marks::{is_notes_line, spelled_out};
use crate::note::{self, NoteId, NoteLine};

/// A parsed log.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ParsedLog {
    /// The blocks, in order.
    pub blocks: Vec<ParsedBlock>,
    /// Lines that we did not write, inside or outside of blocks, without surrounding blank lines.
    pub by_hand: Vec<LineRange>,
}

/// A parsed block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedBlock {
    /// The flushed session.
    pub session: SessionId,
    /// The epoch in which the flush began.
    pub epoch: u64,
    /// The first and last entry of the span.
    pub span: (EntryId, EntryId),
    /// The reason for the flush; `None` if the heading names none.
    pub kind: Option<BlockKind>,
    /// Whether it is complete and unchanged.
    pub state: BlockState,
    /// From the opening to the closing mark; without a closing mark, to the last line recognised as part of it.
    pub lines: LineRange,
    /// The notes, in order.
    pub notes: Vec<ParsedNote>,
}

/// Whether a block is complete and unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BlockState {
    /// Complete and unchanged.
    Closed,
    /// Complete, but edited since.
    Edited,
    /// The closing mark is missing: the flush never took effect.
    Torn,
}

/// A parsed note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedNote {
    /// Its id.
    pub id: NoteId,
    /// The title above it.
    pub section: Option<String>,
    /// Its text, without our comment.
    pub text: String,
    /// The entries it is based on.
    pub evidence: Vec<EntryId>,
    /// Who answered for it when it was written.
    pub origin: Origin,
    /// Whether its text is unchanged; an edited text is the owner's.
    pub is_as_written: bool,
    /// Its line, from 1.
    pub line: usize,
}

/// Parses a log.
pub fn parse(text: &str) -> ParsedLog {
    let (spelled, raw) = (spelled_out(text), lines(text));
    let lines = lines(&spelled);
    let mut log = ParsedLog::default();
    let mut is_ours: Vec<bool> = raw
        .iter()
        .map(|line| leftover::is_torn_mark(OPENING, line.text) || is_notes_line(line.text))
        .collect();
    if let (Some(first), Some(flag)) = (lines.first(), is_ours.first_mut()) {
        *flag |= is_day_header(first.text);
    }
    for extent in extents(&lines) {
        let own = if extent.closing_hash.is_some() {
            extent
                .lines
                .clone()
                .filter(|idx| is_of_a_block(&lines, *idx))
                .collect()
        } else {
            leftover::own_lines(&extent, &lines)
        };
        log.blocks.push(parse_block(&extent, (&lines, &raw), &own));
        for line_idx in own {
            if let Some(flag) = is_ours.get_mut(line_idx) {
                *flag = true;
            }
        }
    }
    log.by_hand = runs_by_hand(&lines, &is_ours);
    log
}

/// Parses a block from its lines, with records inline (`lines`) and as in the file (`raw`).
fn parse_block(
    extent: &Extent,
    (lines, raw): (&[LogLine<'_>], &[LogLine<'_>]),
    own: &BTreeSet<usize>,
) -> ParsedBlock {
    let inside = lines.get(extent.lines.clone()).unwrap_or_default();
    let mut kind = None;
    let mut section = None;
    let mut notes = Vec::new();
    for (offset, line) in inside.iter().enumerate() {
        if let Some(found) = note::parse(line.text) {
            notes.push(ParsedNote {
                is_as_written: found.is_as_written(),
                id: found.id,
                section: section.clone(),
                text: found.text,
                evidence: found.evidence,
                origin: found.origin,
                line: extent.lines.start + offset + 1,
            });
        } else if let Some(found) = title(line.text) {
            section = Some(found.to_owned());
        } else if kind.is_none() {
            kind = heading(line.text);
        }
    }
    let end = match (&extent.closing_hash, own.last()) {
        (None, Some(last)) => last + 1,
        (Some(_), _) | (None, None) => extent.lines.end,
    };
    ParsedBlock {
        session: extent.opening.session.clone(),
        epoch: extent.opening.epoch,
        span: extent.opening.span.clone(),
        kind,
        state: state(extent, raw),
        lines: LineRange {
            start: extent.lines.start + 1,
            end,
        },
        notes,
    }
}

fn state(extent: &Extent, lines: &[LogLine<'_>]) -> BlockState {
    let Some(hash) = &extent.closing_hash else {
        return BlockState::Torn;
    };
    if short_hash(&content_of(extent, lines)) == *hash {
        BlockState::Closed
    } else {
        BlockState::Edited
    }
}

fn runs_by_hand(lines: &[LogLine<'_>], is_ours: &[bool]) -> Vec<LineRange> {
    let mut runs: Vec<LineRange> = Vec::new();
    let mut is_run_open = false;
    for (line_idx, (line, is_ours)) in lines.iter().zip(is_ours).enumerate() {
        let number = line_idx + 1;
        if *is_ours {
            is_run_open = false;
        } else if !line.text.trim().is_empty() {
            match runs.last_mut().filter(|_| is_run_open) {
                Some(run) => run.end = number,
                None => runs.push(LineRange::line(number)),
            }
            is_run_open = true;
        }
    }
    runs
}

/// The text of a log for a reader: without the marks of blocks and without the marks and comments of notes.
pub fn without_comments(text: &str) -> String {
    readable_lines(text)
        .into_iter()
        .map(|(line, _)| line)
        .collect()
}

/// The lines of a log for a reader, each with its line break and with who answers for it.
pub(crate) fn readable_lines(text: &str) -> Vec<(String, Origin)> {
    let spelled = spelled_out(text);
    let mut readable = Vec::new();
    for line in lines(&spelled) {
        let start = line.text.trim_start();
        if start.starts_with(OPENING) || start.starts_with(CLOSING) || is_notes_line(start) {
            continue;
        }
        let note = note::parse(line.text).filter(NoteLine::is_as_written);
        let origin = note.map_or(Origin::Owner, |note| note.origin);
        let end = if line.is_ended { "\n" } else { "" };
        readable.push((format!("{}{end}", without_note_comment(line.text)), origin));
    }
    readable
}

/// A line without the comment after a note, even if a crash cut the comment off.
pub(crate) fn without_note_comment(line: &str) -> &str {
    match line.rsplit_once("<!-- n:") {
        Some((text, comment)) if is_comment_tail(comment) => text.trim_end(),
        _ => line,
    }
}

/// Whether nothing follows the end of the comment.
fn is_comment_tail(comment: &str) -> bool {
    match comment.split_once("-->") {
        Some((_, after)) => after.trim().is_empty(),
        None => true,
    }
}

/// Whether a line of a complete block is of a kind that we write.
fn is_of_a_block(lines: &[LogLine<'_>], line_idx: usize) -> bool {
    let line = lines.get(line_idx).map_or("", |line| line.text);
    line.trim().is_empty()
        || opening(line).is_some()
        || closing(line).is_some()
        || heading(line).is_some()
        || title(line).is_some()
        || note::parse(line).is_some()
}

#[cfg(test)]
#[path = "parse_tests.rs"]
mod tests;
