//! Everything that one decision or one dream changes, and how it is announced.
//!
//! Data alone.

use base::Timestamp;
use serde::{Deserialize, Serialize};

use super::model::Candidate;
use super::state::DreamState;
use super::wire::with_version;

/// Everything that one decision or one dream changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct StateChange {
    /// What `MEMORY.md` says afterwards, where that changes.
    pub(super) memory: Option<String>,
    /// The change of `MEMORY.md` that is taken back, where this is an undo.
    pub(super) undo: Option<u64>,
    /// Why, in a few words.
    pub(super) cause: String,
    /// The candidates whose lines come.
    pub(super) candidates: Vec<String>,
    /// Lines that go into the archive.
    pub(super) archived: Vec<String>,
    /// The state afterwards.
    #[serde(serialize_with = "with_version")]
    pub(super) state: DreamState,
}

impl StateChange {
    /// A change of nothing but the state.
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

/// A change that was begun, as it is read back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Begun {
    pub(super) at: Timestamp,
    pub(super) expected_hash: String,
    pub(super) change_id: u64,
    #[serde(flatten)]
    pub(super) change: StateChange,
}

/// Candidates as they were before they were forgotten.
#[derive(Serialize, Deserialize)]
pub(super) struct Kept {
    pub(super) candidates: Vec<Candidate>,
}
