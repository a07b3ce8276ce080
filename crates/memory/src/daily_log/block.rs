//! The block that one flush writes into a daily log, and its text form.
//!
//! Pure.

use std::collections::BTreeSet;

use base::{EntryId, SessionId, Timestamp, Tz, short_hash, time_of_day};

use super::lines::{BlockKind, CLOSING, OPENING};
use crate::marks::note_with_record;
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

/// Renders the block as it is written into a log, from its opening to its closing mark, with `\n` line ends.
///
/// Leaves out notes that are empty or repeat an earlier one of the block, and sections without notes; a block
/// without notes renders to the empty string.
pub fn render(block: &FlushBlock, timezone: Tz) -> String {
    render_where(block, timezone, |_, _| true).0
}

/// Renders the notes for which `is_kept` returns true and counts them. `is_kept` gets the prepared text.
pub(crate) fn render_where(
    block: &FlushBlock,
    timezone: Tz,
    is_kept: impl Fn(&str, &Note) -> bool,
) -> (String, usize) {
    let mut seen = BTreeSet::new();
    let mut n_notes = 0;
    let (mut body, mut records) = (String::new(), String::new());
    for (title, notes) in &block.sections {
        let title = note::prepare(title);
        let mut lines = String::new();
        for note in notes {
            let text = note::prepare(&note.text);
            if text.is_empty() || !is_kept(&text, note) || !seen.insert(text.to_lowercase()) {
                continue;
            }
            let id = NoteId::of(&block.session, &block.span, &title, &text);
            let line = note::render(&id, &text, &note.evidence, note.origin);
            let (line, record) = note_with_record(&line);
            lines.extend([line.as_str(), "\n"]);
            records.push_str(&record);
            n_notes += 1;
        }
        if !lines.is_empty() {
            body.extend(["\n", &title_line(&title), "\n", &lines]);
        }
    }
    if n_notes == 0 {
        return (String::new(), 0);
    }
    let time = time_of_day(block.at, timezone);
    let content = format!("## {time} \u{2014} {}\n{body}", block.kind.as_str());
    let about = (&block.session, block.epoch, &block.span);
    (between_marks(about, &content, &records), n_notes)
}

pub(crate) fn title_line(title: &str) -> String {
    format!("**{title}:**")
}

/// Puts `content` between the opening and closing marks of a span.
pub(super) fn between_marks(
    (session, epoch, (first, last)): (&SessionId, u64, &(EntryId, EntryId)),
    content: &str,
    records: &str,
) -> String {
    let [session, first, last] =
        [session.as_str(), first.as_str(), last.as_str()].map(note::encode);
    let hash = short_hash(content);
    format!(
        "{OPENING}{session} epoch={epoch} span={first}..{last} -->\n{content}{CLOSING}{hash}{records} -->\n"
    )
}

#[cfg(test)]
#[path = "block_tests.rs"]
mod tests;
