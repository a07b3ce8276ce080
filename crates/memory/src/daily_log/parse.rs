//! Reads a log back: blocks with their notes, and what was written by hand.
//!
//! Takes any text; what it does not know is the owner's.

use std::collections::BTreeSet;

use base::{EntryId, LineRange, Origin, SessionId, short_hash};

use super::extent::{Extent, content_of, extents};
use super::leftover;
use super::lines::{
    BlockKind, CLOSING, Line, OPENING, closing, heading, is_day_header, lines, opening, title,
};
use crate::marks::{is_notes_line, spelled_out};
use crate::note::{self, NoteId};

/// A log as it was read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ParsedLog {
    /// The blocks, in order.
    pub blocks: Vec<ParsedBlock>,
    /// Lines that someone else wrote, outside of blocks or inside; blank lines around them left out.
    pub by_hand: Vec<LineRange>,
}

/// A block as it stands in a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedBlock {
    /// The session that was read.
    pub session: SessionId,
    /// The epoch in which the flush was begun.
    pub epoch: u64,
    /// The first and last entry that are covered.
    pub span: (EntryId, EntryId),
    /// Why the flush ran; `None` where the heading does not say.
    pub kind: Option<BlockKind>,
    /// Whether it was finished, and whether it is still as it was written.
    pub state: BlockState,
    /// From the opening mark to the closing one; where that is missing, to the last line that is known
    /// to belong here.
    pub lines: LineRange,
    /// The notes, in order.
    pub notes: Vec<ParsedNote>,
}

/// Whether a block was finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BlockState {
    /// It stands as it was written.
    Closed,
    /// It was finished, and someone changed it since.
    Edited,
    /// Its closing mark is missing: the flush never took effect.
    Torn,
}

/// A note as it stands in a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedNote {
    /// Names it.
    pub id: NoteId,
    /// The title above it.
    pub section: Option<String>,
    /// What it says, without our comment.
    pub text: String,
    /// The entries that say so.
    pub evidence: Vec<EntryId>,
    /// Who was answerable for it when it was written.
    pub origin: Origin,
    /// Whether it still says what was written.
    pub state: NoteState,
    /// Its line, from 1.
    pub line: usize,
}

/// Whether a note still says what was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NoteState {
    /// It does.
    AsWritten,
    /// Someone changed its text, which is the owner's now.
    Edited,
}

/// Reads the blocks of a log and tells what was written by hand.
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

/// Reads a block of lines that are spelled out, and as they stand.
fn parse_block(
    extent: &Extent,
    (lines, raw): (&[Line<'_>], &[Line<'_>]),
    own: &BTreeSet<usize>,
) -> ParsedBlock {
    let inside = lines.get(extent.lines.clone()).unwrap_or_default();
    let mut kind = None;
    let mut section = None;
    let mut notes = Vec::new();
    for (offset, line) in inside.iter().enumerate() {
        if let Some(found) = note::parse(line.text) {
            let state = if found.is_as_written() {
                NoteState::AsWritten
            } else {
                NoteState::Edited
            };
            notes.push(ParsedNote {
                id: found.id,
                section: section.clone(),
                text: found.text,
                evidence: found.evidence,
                origin: found.origin,
                state,
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

fn state(extent: &Extent, lines: &[Line<'_>]) -> BlockState {
    let Some(hash) = &extent.closing_hash else {
        return BlockState::Torn;
    };
    if short_hash(&content_of(extent, lines)) == *hash {
        BlockState::Closed
    } else {
        BlockState::Edited
    }
}

fn runs_by_hand(lines: &[Line<'_>], is_ours: &[bool]) -> Vec<LineRange> {
    let mut runs: Vec<LineRange> = Vec::new();
    let mut is_run_open = false;
    for (line_idx, (line, is_ours)) in lines.iter().zip(is_ours).enumerate() {
        let number = line_idx + 1;
        if *is_ours {
            is_run_open = false;
        } else if !line.text.trim().is_empty() {
            match runs.last_mut().filter(|_| is_run_open) {
                Some(run) => run.end = number,
                None => runs.push(LineRange {
                    start: number,
                    end: number,
                }),
            }
            is_run_open = true;
        }
    }
    runs
}

/// The text of a log for a reader: without the marks of blocks, and without marks and comments of notes.
pub fn without_comments(text: &str) -> String {
    let mut readable = String::with_capacity(text.len());
    for line in lines(&spelled_out(text)) {
        let start = line.text.trim_start();
        if start.starts_with(OPENING) || start.starts_with(CLOSING) || is_notes_line(start) {
            continue;
        }
        readable.push_str(without_note_comment(line.text));
        if line.is_ended {
            readable.push('\n');
        }
    }
    readable
}

/// A line without the comment behind a note, also where a crash left only its beginning.
pub(crate) fn without_note_comment(line: &str) -> &str {
    match line.rsplit_once("<!-- n:") {
        Some((text, comment)) if is_comment_tail(comment) => text.trim_end(),
        _ => line,
    }
}

/// Whether nothing follows the comment.
fn is_comment_tail(comment: &str) -> bool {
    match comment.split_once("-->") {
        Some((_, after)) => after.trim().is_empty(),
        None => true,
    }
}

/// Whether a line of a finished block is of the kinds that we write.
fn is_of_a_block(lines: &[Line<'_>], line_idx: usize) -> bool {
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
