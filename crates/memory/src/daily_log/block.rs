//! The block that one flush writes into a daily log, and its text form.
//!
//! Pure.

use std::collections::BTreeSet;

use base::{EntryId, SessionId, Timestamp, Tz, time_of_day};

use super::lines::BlockKind;
use crate::ledger::NoteRecord;
use crate::note::{self, Note, NoteId};

/// The notes that one flush keeps of a span of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlushBlock {
    /// The flushed session.
    pub session: SessionId,
    /// The epoch in which the flush began.
    pub epoch: u64,
    /// The first and last entry of the span.
    pub span: (EntryId, EntryId),
    /// The reason for the flush.
    pub kind: BlockKind,
    /// The time of the last entry of the span; decides the log and the time in the heading.
    pub at: Timestamp,
    /// The sections in order: title, from [`base::FLUSH_SECTIONS`], and notes.
    pub sections: Vec<(String, Vec<Note>)>,
}

/// Renders the block as it is written into a log, with `\n` line ends.
///
/// Leaves out notes that are empty or repeat an earlier one of the block, and sections without notes; a block
/// without notes renders to the empty string.
pub fn render(block: &FlushBlock, timezone: Tz) -> String {
    rendered(block, "", timezone, |_, _, _| true).text
}

/// The text of a block, and the records of its notes, in their order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct RenderedBlock {
    pub(crate) text: String,
    pub(crate) records: Vec<NoteRecord>,
}

/// Renders the notes for which `is_kept` returns true, for a log at `file`. `is_kept` gets the prepared text.
pub(crate) fn rendered(
    block: &FlushBlock,
    file: &str,
    timezone: Tz,
    is_kept: impl Fn(&NoteId, &str, &Note) -> bool,
) -> RenderedBlock {
    let mut seen = BTreeSet::new();
    let (mut body, mut records) = (String::new(), Vec::new());
    for (title, notes) in &block.sections {
        let title = note::prepare(title);
        let mut lines = String::new();
        for note in notes {
            let text = note::prepare(&note.text);
            let id = NoteId::of(&block.session, &block.span, &title, &text);
            if text.is_empty() || !is_kept(&id, &text, note) || !seen.insert(text.to_lowercase()) {
                continue;
            }
            lines.extend(["- ", &text, " ^", id.as_str(), "\n"]);
            records.push(record(block, file, (&id, &text), note));
        }
        if !lines.is_empty() {
            body.extend(["\n", &title_line(&title), "\n", &lines]);
        }
    }
    if records.is_empty() {
        return RenderedBlock::default();
    }
    let time = time_of_day(block.at, timezone);
    let text = format!("## {time} \u{2014} {}\n{body}", block.kind.as_str());
    RenderedBlock { text, records }
}

fn record(block: &FlushBlock, file: &str, (id, text): (&NoteId, &str), note: &Note) -> NoteRecord {
    let (first, last) = &block.span;
    NoteRecord {
        session: Some(block.session.to_string()),
        epoch: Some(block.epoch),
        span: Some((first.to_string(), last.to_string())),
        ..note.record(file, id, text)
    }
}

pub(crate) fn title_line(title: &str) -> String {
    format!("**{title}:**")
}

#[cfg(test)]
#[path = "block_tests.rs"]
mod tests;
