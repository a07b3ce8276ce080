//! Errors of reading, deciding and changing candidates.

use base::disk::DiskError;

use super::model::{CandidateId, Status};
use crate::curated::{ChangeError, UndoError};
use crate::tombstone::TombstoneError;

/// Candidates could not be read or changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MemoryTxnError {
    /// A record has a newer version than this program knows: path relative to the home, version.
    #[error("{0} has the newer version {1}; nothing was written")]
    TooNew(String, u32),
    /// A record is damaged: path relative to the home, parse error.
    #[error("{0} is damaged: {1}")]
    Damaged(String, String),
    /// Another program saved `DREAMS.md` at each attempt to write it.
    #[error("another program saved DREAMS.md at every attempt to write it")]
    Busy,
    /// The owner forgot something after the plan was made.
    #[error("something was forgotten in the meantime; nothing was written")]
    Forgotten,
    /// The decision is not possible.
    #[error(transparent)]
    Review(#[from] ReviewError),
    /// The tombstones could not be read.
    #[error(transparent)]
    Tombstones(#[from] TombstoneError),
    /// `MEMORY.md` could not be changed.
    #[error(transparent)]
    Memory(#[from] ChangeError),
    /// The undo failed; nothing changed.
    #[error(transparent)]
    Undo(#[from] UndoError),
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

/// The decision is not possible.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReviewError {
    /// No candidate has this id.
    #[error("no candidate has the id {0:?}")]
    Unknown(String),
    /// Several candidates have an id with this prefix: prefix, count.
    #[error("{0:?} matches {1} candidates; type more of the id")]
    Ambiguous(String, usize),
    /// The candidate is not pending: its id and status.
    #[error("{0} is already {status}", status = .1.as_str())]
    Decided(CandidateId, Status),
    /// The new text is empty.
    #[error("a finding cannot be empty")]
    Empty,
}
