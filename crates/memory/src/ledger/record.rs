//! A record: what is known about one line of ours, as a line of JSON and as the comment that stands for it in memory.
//!
//! Pure.

use base::Origin;
use serde::{Deserialize, Serialize};

use crate::note::{self, NoteFields};

/// What is known about a line of ours.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct NoteRecord {
    /// The mark of the line; first, so that a reader finds it without parsing the rest.
    pub(crate) id: String,
    /// The file that it was written into, relative to the workspace.
    pub(crate) file: String,
    /// The short hash of its text.
    pub(crate) hash: String,
    /// Who answers for it.
    pub(crate) origin: Origin,
    /// What it is based on, each as its reference is written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) evidence: Vec<String>,
    /// The candidate that it came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) candidate: Option<String>,
    /// The day from which it holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) day: Option<String>,
    /// The session that it was noted from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) session: Option<String>,
    /// The epoch of that session in which its flush began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) epoch: Option<u64>,
    /// The first and the last entry that its flush covered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) span: Option<(String, String)>,
}

impl NoteRecord {
    /// The record that stands at the end of a line of `file`, under this mark.
    pub(crate) fn of(found: &NoteFields<'_>, file: &str, mark: &str) -> Self {
        let evidence = found.evidence.split(',').filter(|id| !id.is_empty());
        Self {
            id: mark.to_owned(),
            file: file.to_owned(),
            hash: found.hash.to_owned(),
            origin: found.origin,
            evidence: evidence.map(str::to_owned).collect(),
            candidate: Some(found.id.to_owned()).filter(|id| id != mark),
            day: found.day.map(str::to_owned),
            session: found.session.map(note::decode),
            epoch: None,
            span: None,
        }
    }

    /// The record as the comment at the end of a line.
    pub(crate) fn comment(&self) -> String {
        let Self {
            id,
            hash,
            origin,
            evidence,
            candidate,
            day,
            session,
            ..
        } = self;
        let id = candidate.as_ref().unwrap_or(id);
        let day = day.as_ref().map(|day| format!(" d:{day}"));
        let session = session
            .as_ref()
            .map(|id| format!(" s:{}", note::encode(id)));
        format!(
            "<!-- n:{id} e:{} h:{hash} o:{origin}{}{} -->",
            evidence.join(","),
            day.unwrap_or_default(),
            session.unwrap_or_default()
        )
    }

    /// As a line of the file, with its line end.
    pub(crate) fn line(&self) -> String {
        // A record holds nothing that JSON cannot.
        let json = serde_json::to_string(self).unwrap_or_default();
        format!("{json}\n")
    }
}
