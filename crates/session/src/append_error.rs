//! Errors of an append.
//!
//! Each variant says what state the file is in, so that the caller knows whether a retry can succeed.

use std::path::PathBuf;

use base::EntryId;
use base::disk::DiskError;

use crate::format::RenderError;
use crate::{Epoch, SessionName};

/// The reason why an append failed.
#[derive(Debug, thiserror::Error)]
pub enum AppendError {
    /// The entry cannot be rendered as a line of a transcript.
    #[error("cannot append the entry to session {0}")]
    Refused(SessionName, #[source] RenderError),
    /// The compaction or state was made for another epoch than the file's current one.
    #[error(
        "the compaction count of session {name} is {expected}, but this entry was made for {found}; run the command \
         again",
        expected = expected.0,
        found = found.0
    )]
    WrongEpoch {
        /// The session.
        name: SessionName,
        /// The epoch of the file.
        expected: Epoch,
        /// The epoch that the entry names.
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
    /// The disk failed and the end of the file is unknown; this turn refuses further writes.
    #[error("the end of {path} is in an unknown state; this turn writes nothing more", path = .0.display())]
    NotDurable(PathBuf, #[source] DiskError),
    /// An earlier failure in this turn stopped all further writes.
    #[error("an earlier write to {path} failed; begin a new turn", path = .0.display())]
    Stopped(PathBuf),
    /// Another program truncated the file during the turn; this turn refuses further writes.
    #[error("another program truncated {path} to {found} bytes; it had {expected}", path = path.display())]
    CutElsewhere {
        /// The transcript.
        path: PathBuf,
        /// Its expected length in bytes.
        expected: u64,
        /// Its length now.
        found: u64,
    },
    /// The entry is durable, but rereading the view failed; this turn refuses further writes.
    #[error("{path} cannot be reread after an append", path = .0.display())]
    NotReread(PathBuf, #[source] DiskError),
}
