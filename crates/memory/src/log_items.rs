//! Reads the notes of a daily log, ours and the owner's, each with its evidence.

use base::disk::{DiskError, read_all};
use base::{Day, EntryId, Origin, SessionId};

use search::NoteSource;

use crate::Workspace;
use crate::daily_log::lines::{title, without_bullet};
use crate::daily_log::{LOG_BYTES_MAX, without_comments};
use crate::note::{self, NoteLine};
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
    /// The session that it was noted from.
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

    /// The notes of a day, in order; empty if there is no log.
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
        let text = String::from_utf8_lossy(&bytes);
        Ok(items(&self.spelled(log.as_str(), &text)))
    }
}

/// The notes of a text with its records.
fn items(text: &str) -> Vec<LogItem> {
    let lines = text.lines().zip(1..);
    lines
        .filter_map(|(line, number)| item(line, number))
        .collect()
}

fn item(line: &str, number: usize) -> Option<LogItem> {
    let readable = without_comments(line);
    let text = readable.trim();
    let is_title = title(text).is_some();
    if is_title || text.starts_with('#') || text.starts_with("<!--") {
        return None;
    }
    let text = without_bullet(text);
    if !text.chars().any(char::is_alphanumeric) {
        return None;
    }
    let note = note::parse(line);
    let session = note.as_ref().and_then(|note| note.session.clone());
    let is_ours = |note: &NoteLine| note.is_as_written() && !note.is_added_by_owner();
    let ours = note.filter(is_ours);
    Some(LogItem {
        line: number,
        text: text.to_owned(),
        origin: ours.as_ref().map_or(Origin::Owner, |own| own.origin),
        id: ours.as_ref().map(|own| own.id.to_string()),
        session,
        evidence: ours.map(|own| own.evidence).unwrap_or_default(),
    })
}

#[cfg(test)]
#[path = "log_items_tests.rs"]
mod tests;
