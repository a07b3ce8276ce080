//! Why candidates could not be read, decided or changed.
//!
//! Knows no record.

use base::disk::DiskError;

use super::model::{CandidateId, Status};
use crate::curated::{ChangeError, UndoError};
use crate::tombstone::TombstoneError;

/// Candidates could not be read or changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DeskError {
    /// A record, named relative to the home, is of this newer version.
    #[error("{0} has version {1}; nothing was written")]
    TooNew(String, u32),
    /// A record, named relative to the home, is damaged in this way.
    #[error("{0} is damaged: {1}")]
    Damaged(String, String),
    /// An editor saves `DREAMS.md` again and again.
    #[error("DREAMS.md was saved by someone else each time it was to be written")]
    Busy,
    /// What is forgotten is not what the plan was made with.
    #[error("something was forgotten at the same moment; nothing was written")]
    Forgotten,
    /// A decision that cannot be taken.
    #[error(transparent)]
    Review(#[from] ReviewError),
    /// It cannot be told what was forgotten.
    #[error(transparent)]
    Tombstones(#[from] TombstoneError),
    /// `MEMORY.md` could not be changed.
    #[error(transparent)]
    Memory(#[from] ChangeError),
    /// Nothing was taken back.
    #[error(transparent)]
    Undo(#[from] UndoError),
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

/// A decision that cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReviewError {
    /// No candidate has this id.
    #[error("no candidate is called {0:?}")]
    Unknown(String),
    /// Several do: so many.
    #[error("{0:?} names {1} candidates; type more of the id")]
    Ambiguous(String, usize),
    /// It does not wait any more: it is this already.
    #[error("{0} is {status} already", status = .1.as_str())]
    Decided(CandidateId, Status),
    /// The new words say nothing.
    #[error("a finding cannot be empty")]
    Empty,
}
