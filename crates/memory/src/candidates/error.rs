//! Errors of reading, deciding and changing candidates.

use super::model::{CandidateId, Status};
use crate::FileError;
use crate::curated::UndoError;
use crate::file_error::file_error_from_disk;

/// Candidates could not be read or changed.
#[derive(Debug, thiserror::Error)]
pub enum MemoryTxnError {
    /// The owner forgot something after the plan was made.
    #[error("something was forgotten in the meantime; nothing was written")]
    Forgotten,
    /// The decision is not possible.
    #[error(transparent)]
    Review(#[from] ReviewError),
    /// The undo failed; nothing changed.
    #[error(transparent)]
    Undo(#[from] UndoError),
    /// A file cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
}

file_error_from_disk!(MemoryTxnError);

impl MemoryTxnError {
    /// Whether only the owner can repair the records of dreams, which show nothing until then.
    pub fn is_unreadable_record(&self) -> bool {
        let Self::File(FileError::TooNew(file, _) | FileError::Damaged { file, .. }) = self else {
            return false;
        };
        file.starts_with("state/dreams/")
    }
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
    /// Nothing was decided about the candidate, so there is nothing to undo.
    #[error("{0} waits for your decision: there is nothing to undo about it")]
    Undecided(CandidateId),
    /// The new text is empty.
    #[error("the new text of the candidate is empty")]
    Empty,
}
