//! Why an entry was not added to a transcript.
//!
//! Says what is known of the file afterwards, so that a caller can tell another try from an end.

use std::path::PathBuf;

use base::EntryId;
use base::disk::DiskError;

use crate::format::RenderError;
use crate::{Epoch, SessionName};

/// An entry that was not added.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AppendError {
    /// It cannot stand in a transcript.
    #[error("session {0} cannot hold the entry")]
    Refused(SessionName, #[source] RenderError),
    /// A compaction or a state of an epoch that is not the file's.
    #[error("session {name} is in epoch {expected}, not {found}", expected = expected.0, found = found.0)]
    WrongEpoch {
        /// The session.
        name: SessionName,
        /// The epoch of the file.
        expected: Epoch,
        /// The epoch of the entry.
        found: Epoch,
    },
    /// A rewind to an entry that is not there.
    #[error("session {0} has no entry {1}")]
    NoTarget(SessionName, EntryId),
    /// A copy of another session into one that holds something.
    #[error("session {0} exists already")]
    HasBegun(SessionName),
    /// The disk refused; the file is as it was, and another try may succeed.
    #[error("nothing was added to {path}", path = .0.display())]
    NotWritten(PathBuf, #[source] DiskError),
    /// The disk failed in a way that leaves the end of the file unknown; this turn adds no more.
    #[error("what {path} holds at its end is unknown; this turn writes no more", path = .0.display())]
    NotDurable(PathBuf, #[source] DiskError),
    /// The turn stopped writing after an earlier failure.
    #[error("{path} could not be written safely before; begin a new turn", path = .0.display())]
    Stopped(PathBuf),
    /// Another program cut the file during the turn; this turn adds no more.
    #[error("{path} was cut to {found} bytes by another program; it held {expected}", path = path.display())]
    CutElsewhere {
        /// The transcript.
        path: PathBuf,
        /// How long it was.
        expected: u64,
        /// How long it is.
        found: u64,
    },
    /// The entry was added and is durable, but the view could not be read again; this turn adds no more.
    #[error("{path} cannot be read again after an entry was added", path = .0.display())]
    NotReread(PathBuf, #[source] DiskError),
}
