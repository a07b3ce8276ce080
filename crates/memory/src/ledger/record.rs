//! A record: what is known about one line of ours, as a line of JSON.
//!
//! Pure.

use base::{EntryId, Origin};
use serde::{Deserialize, Serialize};

use crate::candidates::EvidenceRef;
use crate::note;

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
    /// For a promise: the times that it was told for, and the place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) told: Option<ToldRecord>,
}

/// The times of a promise that one telling covers: a single time or, for a repetition, all times that fell due while
/// nothing ran.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ToldRecord {
    /// The first local time.
    pub(crate) from: String,
    /// The last local time.
    pub(crate) through: String,
    /// The instant of the telling.
    pub(crate) at: String,
    /// The place: a session, a command, or a program.
    pub(crate) place: String,
    /// Whether the telling failed there, so that these times are due again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) failed: bool,
}

impl NoteRecord {
    /// The record that is assumed for an unknown mark: the line is the assistant's.
    pub(crate) fn assumed(file: &str, mark: &str, hash: String) -> Self {
        Self {
            id: mark.to_owned(),
            file: file.to_owned(),
            hash,
            origin: Origin::Agent,
            evidence: Vec::new(),
            candidate: None,
            day: None,
            session: None,
            epoch: None,
            span: None,
            told: None,
        }
    }

    /// The id of the candidate or note that the line was written for.
    pub(crate) fn own_id(&self) -> &str {
        self.candidate.as_ref().unwrap_or(&self.id)
    }

    /// Its evidence, each as the text of its reference.
    pub(crate) fn references(&self) -> impl Iterator<Item = String> {
        self.evidence.iter().map(|own| note::decode(own))
    }

    /// The entries that it is based on. A line of `MEMORY.md` names their files too.
    pub(crate) fn entries(&self) -> impl Iterator<Item = EntryId> {
        self.references().map(|own| {
            let reference = EvidenceRef::parse(&own);
            EntryId::new(reference.map_or(own, |own| own.key))
        })
    }

    /// Whether the program wrote the line down for the owner, whose own line it is: a note of a model has evidence.
    pub(crate) fn is_added_by_owner(&self) -> bool {
        self.origin == Origin::Owner && self.evidence.is_empty() && self.session.is_some()
    }

    /// As a line of the file, with its line end.
    pub(crate) fn line(&self) -> String {
        // A record holds nothing that JSON cannot.
        let json = serde_json::to_string(self).unwrap_or_default();
        format!("{json}\n")
    }
}
