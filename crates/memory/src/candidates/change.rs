//! The change that one decision or one dream makes, and the form in which it is announced.

use base::Timestamp;
use serde::{Deserialize, Serialize};

use super::model::Candidate;
use super::state::DreamState;
use super::wire::with_version;

/// All that one decision or one dream changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct StateChange {
    /// The new content of `MEMORY.md`, if it changes.
    pub(super) memory: Option<String>,
    /// The id of the `MEMORY.md` change to undo, if this is an undo.
    pub(super) undo: Option<u64>,
    /// The reason, in a few words.
    pub(super) cause: String,
    /// Ids of the candidates that this change decides.
    pub(super) candidates: Vec<String>,
    /// Lines to append to the archive.
    pub(super) archived: Vec<String>,
    /// The new state.
    #[serde(serialize_with = "with_version")]
    pub(super) state: DreamState,
}

impl StateChange {
    /// A change to the state alone.
    pub(super) fn of_state(state: DreamState, cause: impl Into<String>) -> Self {
        Self {
            memory: None,
            undo: None,
            cause: cause.into(),
            candidates: Vec::new(),
            archived: Vec::new(),
            state,
        }
    }
}

/// An announced change, as stored in `dreams/pending.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BegunChange {
    pub(super) at: Timestamp,
    pub(super) expected_hash: String,
    pub(super) change_id: u64,
    #[serde(flatten)]
    pub(super) change: StateChange,
}

/// Candidates as they were before forgetting removed them.
#[derive(Serialize, Deserialize)]
pub(super) struct KeptCandidates {
    pub(super) candidates: Vec<Candidate>,
}
