//! What one flush writes into a daily log, and how it looks there.
//!
//! Pure: a block becomes text, and nothing is read or written.

use std::collections::BTreeSet;

use base::{EntryId, SessionId, Timestamp, Tz, short_hash, time_of_day};

use super::lines::{BlockKind, CLOSING, OPENING};
use crate::marks::note_with_record;
use crate::note::{self, Note, NoteId};

/// What one flush keeps of a span of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlushBlock {
    /// The session that was read.
    pub session: SessionId,
    /// The epoch in which the flush was begun.
    pub epoch: u64,
    /// The first and last entry that are covered.
    pub span: (EntryId, EntryId),
    /// Why the flush ran.
    pub kind: BlockKind,
    /// When the last entry that is covered was said; chooses the log and the time in the heading.
    pub at: Timestamp,
    /// Titles and what stands below them, in order; titles are those of [`base::FLUSH_SECTIONS`].
    pub sections: Vec<(String, Vec<Note>)>,
}

/// The block as it stands in a log: from its opening mark to its closing one, lines ended by `\n`.
///
/// Notes whose text is empty or was said before in the same block are left out, and so are sections
/// without notes; a block without notes is the empty text.
pub fn render(block: &FlushBlock, timezone: Tz) -> String {
    render_where(block, timezone, |_, _| true).0
}

/// Renders the notes that `is_kept` keeps, and counts them. It is asked with the prepared text.
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

/// What stands in a log of a span of a session, between the marks that say so.
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
