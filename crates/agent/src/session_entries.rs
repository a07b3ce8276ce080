//! Finds transcript entries by line, id or text, as they may be shown.
//!
//! Skips what a rewind left behind and what recall added to messages.

use std::collections::{BTreeSet, HashMap};

use base::{EntryId, LineRange, SourceError, head, redact};
use memory::{Because, ForgottenEntry, PlannedEntry, TextHash};
use search::PassageSource;

use crate::session_source::SessionSource;

/// Maximum length of an entry as shown.
const SHOWN_CHARS_MAX: usize = 300;

impl SessionSource {
    /// The entries in these lines of a transcript, marked as chosen to be forgotten.
    pub fn entries_at(
        &self,
        path: &str,
        lines: LineRange,
    ) -> Result<Vec<PlannedEntry>, SourceError> {
        let is_there = |entry: &PlannedEntry| lines.contains(entry.entry.line);
        self.entries_where(path, Because::Chosen, &is_there)
    }

    /// The entries in any transcript whose whole text is one of these, except the one at this path and line.
    pub fn entries_saying(
        &self,
        texts: &BTreeSet<TextHash>,
        but: Option<&(String, usize)>,
    ) -> Result<Vec<PlannedEntry>, SourceError> {
        let mut found = Vec::new();
        if texts.is_empty() {
            return Ok(found);
        }
        for document in self.documents(&|_| None)? {
            let path = &document.path;
            let said = self.entries_where(path, Because::SaysTheSame, &|entry| {
                let hash = entry.hash.as_ref();
                hash.is_some_and(|hash| texts.contains(hash))
            })?;
            let is_other = |it: &PlannedEntry| {
                but.is_none_or(|(path, line)| it.entry.path != *path || it.entry.line != *line)
            };
            found.extend(said.into_iter().filter(is_other));
        }
        Ok(found)
    }

    /// The entries with these ids in any transcript, marked as evidence of forgotten notes.
    pub fn entries_with(&self, ids: &BTreeSet<EntryId>) -> Result<Vec<PlannedEntry>, SourceError> {
        let mut found = Vec::new();
        if ids.is_empty() {
            return Ok(found);
        }
        for document in self.documents(&|_| None)? {
            let is_sought = |entry: &PlannedEntry| ids.contains(&entry.entry.id);
            found.extend(self.entries_where(&document.path, Because::IsEvidence, &is_sought)?);
            if found.len() >= ids.len() {
                break;
            }
        }
        Ok(found)
    }

    /// The whole texts of the entries with these ids in any transcript.
    pub(crate) fn texts_of(
        &self,
        ids: &BTreeSet<EntryId>,
    ) -> Result<HashMap<EntryId, String>, SourceError> {
        let mut found = HashMap::new();
        for path in self.paths()? {
            if found.len() >= ids.len() {
                break;
            }
            self.each_entry(&path, &mut |id, message| {
                if ids.contains(id) {
                    found.insert(id.clone(), message.text);
                }
            })?;
        }
        Ok(found)
    }

    fn entries_where(
        &self,
        path: &str,
        because: Because,
        is_sought: &dyn Fn(&PlannedEntry) -> bool,
    ) -> Result<Vec<PlannedEntry>, SourceError> {
        let mut found = Vec::new();
        self.each_entry(path, &mut |id, message| {
            let entry = PlannedEntry {
                entry: ForgottenEntry {
                    id: id.clone(),
                    path: path.to_owned(),
                    line: message.place.line,
                },
                text: String::new(),
                hash: TextHash::of(&message.text),
                because,
            };
            if is_sought(&entry) {
                let text = redact(&message.text);
                found.push(PlannedEntry {
                    text: format!("{}: {}", message.speaker, head(&text, SHOWN_CHARS_MAX)),
                    ..entry
                });
            }
        })?;
        Ok(found)
    }
}
