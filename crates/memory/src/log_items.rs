//! Reads the notes of a daily log, ours and the owner's, each with its evidence.

use base::disk::{DiskError, read_all};
use base::{Day, EntryId, Origin, SessionId};

use search::NoteSource;

use crate::Workspace;
use crate::daily_log::LOG_BYTES_MAX;
use crate::daily_log::lines::{title, without_bullet};
use crate::note_text::{NoteLine, NoteText};
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
        Ok(items(&self.read_note(log.as_str(), &text)))
    }
}

fn items(text: &NoteText<'_>) -> Vec<LogItem> {
    let lines = text.numbered();
    lines
        .filter_map(|(number, line)| item(line, number))
        .collect()
}

fn item(line: &NoteLine<'_>, number: usize) -> Option<LogItem> {
    let text = line.text().trim();
    let is_title = title(text).is_some();
    if is_title || text.starts_with('#') || text.starts_with("<!--") {
        return None;
    }
    let text = without_bullet(text);
    if !text.chars().any(char::is_alphanumeric) {
        return None;
    }
    let session = line.record().and_then(|own| own.session.clone());
    let ours = line.ours().filter(|own| !own.is_added_by_owner());
    Some(LogItem {
        line: number,
        text: text.to_owned(),
        origin: ours.map_or(Origin::Owner, |own| own.origin),
        id: ours.map(|own| own.own_id().to_owned()),
        session: session.map(SessionId::new),
        evidence: ours.map_or_else(Vec::new, |own| own.references().map(EntryId::new).collect()),
    })
}

#[cfg(test)]
#[path = "log_items_tests.rs"]
mod tests;
