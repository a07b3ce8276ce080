//! Errors of an append.
//!
//! Each variant says what state the file is in, so that the caller knows whether to retry.

use std::path::PathBuf;

use base::EntryId;
use base::disk::DiskError;

use crate::format::RenderError;
use crate::{Epoch, SessionName};

/// An append that failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AppendError {
    /// The entry cannot be written to a transcript.
    #[error("cannot append the entry to session {0}")]
    Refused(SessionName, #[source] RenderError),
    /// The compaction or state belongs to another epoch than the file.
    #[error("session {name} is in epoch {expected}, not {found}", expected = expected.0, found = found.0)]
    WrongEpoch {
        /// The session.
        name: SessionName,
        /// The epoch of the file.
        expected: Epoch,
        /// The epoch of the entry.
        found: Epoch,
    },
    /// The target of the rewind does not exist.
    #[error("session {0} has no entry {1}")]
    NoTarget(SessionName, EntryId),
    /// The session that a fork should fill is not empty.
    #[error("session {0} already exists")]
    HasBegun(SessionName),
    /// The disk failed; the file is unchanged, so a retry may succeed.
    #[error("nothing was added to {path}", path = .0.display())]
    NotWritten(PathBuf, #[source] DiskError),
    /// The disk failed and the end of the file is unknown; this turn writes no more.
    #[error("the end of {path} is in an unknown state; this turn writes nothing more", path = .0.display())]
    NotDurable(PathBuf, #[source] DiskError),
    /// The turn stopped writing after an earlier failure.
    #[error("an earlier write to {path} failed; begin a new turn", path = .0.display())]
    Stopped(PathBuf),
    /// Another program truncated the file during the turn; this turn writes no more.
    #[error("another program truncated {path} to {found} bytes; it had {expected}", path = path.display())]
    CutElsewhere {
        /// The transcript.
        path: PathBuf,
        /// Its expected length in bytes.
        expected: u64,
        /// Its length now.
        found: u64,
    },
    /// The entry is durable, but rereading the view failed; this turn writes no more.
    #[error("{path} cannot be reread after an append", path = .0.display())]
    NotReread(PathBuf, #[source] DiskError),
}
