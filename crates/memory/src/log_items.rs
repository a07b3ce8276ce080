//! Reads the notes of a daily log, ours and the owner's, each with its evidence.

use base::disk::{DiskError, read_all};
use base::{Day, EntryId, Origin, SessionId};

use search::NoteSource;

use crate::Workspace;
use crate::daily_log::lines::{heading, title, without_bullet};
use crate::daily_log::{
    LOG_BYTES_MAX, ParsedBlock, ParsedLog, ParsedNote, parse, without_comments,
};
use crate::marks::spelled_out;
use crate::workspace::LOGS;

/// A note of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogItem {
    /// Its line, from 1.
    pub line: usize,
    /// Its text, without bullet and comment.
    pub text: String,
    /// Who answers for it; the owner for notes written or edited by hand.
    pub origin: Origin,
    /// Its id, if it is a note of ours.
    pub id: Option<String>,
    /// The session of the block around it.
    pub session: Option<SessionId>,
    /// The entries it is based on.
    pub evidence: Vec<EntryId>,
}

impl Workspace {
    /// The days that have a log, oldest first.
    pub fn log_days(&self) -> Result<Vec<Day>, DiskError> {
        let names = self.disk().list(&self.root().join(LOGS))?;
        let mut days: Vec<Day> = names
            .iter()
            .filter_map(|name| name.to_str()?.strip_suffix(".md")?.parse().ok())
            .collect();
        days.sort_unstable();
        Ok(days)
    }

    /// The size of the log of a day in bytes; 0 if there is none.
    pub fn log_len(&self, day: Day) -> Result<u64, DiskError> {
        let path = self.log_path(day).under(self.root());
        Ok(self.disk().stat(&path)?.map_or(0, |stat| stat.len))
    }

    /// The notes of a day, in order; empty if there is no log. Skips blocks that were never finished.
    ///
    /// # Errors
    ///
    /// [`DiskError`], also if the log is a symlink out of the workspace.
    pub fn log_items(&self, day: Day) -> Result<Vec<LogItem>, DiskError> {
        let log = self.log_path(day);
        if self.disk().stat(&log.under(self.root()))?.is_none() {
            return Ok(Vec::new());
        }
        let path = self.locate(log.as_str())?;
        let bytes = read_all(self.disk(), &path, LOG_BYTES_MAX)?;
        Ok(items(&String::from_utf8_lossy(&bytes)))
    }
}

fn items(text: &str) -> Vec<LogItem> {
    let log = parse(text);
    let mut items = Vec::new();
    for block in &log.blocks {
        if block.state == crate::daily_log::BlockState::Torn {
            continue;
        }
        let notes = block.notes.iter();
        items.extend(notes.map(|note| of_note(note, &block.session)));
    }
    let spelled = spelled_out(text);
    let all: Vec<&str> = spelled.lines().collect();
    for run in &log.by_hand {
        for number in run.start..=run.end {
            let line = all
                .get(number.saturating_sub(1))
                .copied()
                .unwrap_or_default();
            let found = by_hand(line, number);
            // A note left over from an unfinished block is written again by the next flush.
            let found =
                found.filter(|item| item.evidence.is_empty() || !is_left_over(&all, number));
            items.extend(found.map(|item| LogItem {
                session: session_at(&log, number),
                ..item
            }));
        }
    }
    items.sort_by_key(|item| item.line);
    items
}

/// Whether a line outside of all blocks stands under the heading of one, which was never finished.
fn is_left_over(lines: &[&str], number: usize) -> bool {
    let mut above = lines.iter().take(number).rev();
    let heading_above = above.find(|line| line.starts_with("## "));
    heading_above.is_some_and(|line| heading(line).is_some())
}

/// The session of the block around a line; `None` outside of all blocks.
fn session_at(log: &ParsedLog, line: usize) -> Option<SessionId> {
    let holds = |block: &&ParsedBlock| block.lines.contains(line);
    log.blocks
        .iter()
        .find(holds)
        .map(|block| block.session.clone())
}

fn of_note(note: &ParsedNote, session: &SessionId) -> LogItem {
    let as_written = LogItem {
        line: note.line,
        text: note.text.clone(),
        origin: note.origin,
        id: Some(note.id.to_string()),
        session: Some(session.clone()),
        evidence: note.evidence.clone(),
    };
    if note.is_as_written {
        return as_written;
    }
    LogItem {
        origin: Origin::Owner,
        id: None,
        evidence: Vec::new(),
        ..as_written
    }
}

/// The note in a line that belongs to no flush: written by hand, or added by a command with a mark for its origin.
fn by_hand(line: &str, number: usize) -> Option<LogItem> {
    let readable = without_comments(line);
    let text = readable.trim();
    let is_title = title(text).is_some();
    if is_title || text.starts_with('#') || text.starts_with("<!--") {
        return None;
    }
    let text = without_bullet(text);
    let own = crate::note::parse(line).filter(crate::note::NoteLine::is_as_written);
    let has_words = text.chars().any(char::is_alphanumeric);
    has_words.then(|| LogItem {
        line: number,
        text: text.to_owned(),
        origin: own.as_ref().map_or(Origin::Owner, |own| own.origin),
        id: own.as_ref().map(|own| own.id.to_string()),
        session: None,
        evidence: own.map(|own| own.evidence).unwrap_or_default(),
    })
}

#[cfg(test)]
#[path = "log_items_tests.rs"]
mod tests;
