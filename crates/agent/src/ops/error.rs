//! Why an operation failed.
//!
//! Each door says it in its own form: an exit code and hints, a status, or a sentence.

use base::SourceError;
use base::disk::DiskError;
use memory::{FileLinesError, WorkspacePathError};
use search::IndexError;
use session::ReadError;

/// Why an operation failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpError {
    /// A parameter has a value that it cannot have.
    #[error("{parameter}: {why}")]
    Invalid {
        /// The parameter.
        parameter: &'static str,
        /// What is wrong with it.
        why: String,
    },
    /// The viewer must not see it.
    #[error("{0} belongs to another repository")]
    OtherRepository(String),
    /// No message that the viewer may see is there.
    #[error("there is no message to show at {place}; the last one is on line {last_line}")]
    NoMessage {
        /// The place.
        place: String,
        /// The line of the last message of the session.
        last_line: usize,
    },
    /// The session has no such entry.
    #[error("session {session} has no entry {entry}")]
    NoEntry {
        /// The session.
        session: String,
        /// The id that was asked for.
        entry: String,
    },
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// Memory cannot be searched.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The path is none of the workspace.
    #[error(transparent)]
    Path(#[from] WorkspacePathError),
    /// The lines of a note cannot be read.
    #[error(transparent)]
    Lines(#[from] FileLinesError),
    /// A session cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The messages of a session cannot be read.
    #[error("{0}: {cause}", cause = .0.cause)]
    Source(#[from] SourceError),
}

/// The kind of a failure, by what the caller can do about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OpErrorKind {
    /// Ask otherwise.
    Invalid,
    /// Ask for something else: this does not exist, or not for the viewer.
    NotFound,
    /// Resolve what stands against it, and ask again.
    Conflict,
    /// Nothing: the service failed.
    Internal,
}

impl OpError {
    /// The kind of this failure.
    pub fn kind(&self) -> OpErrorKind {
        match self {
            Self::Invalid { .. } | Self::Path(_) => OpErrorKind::Invalid,
            Self::OtherRepository(_) | Self::NoMessage { .. } | Self::NoEntry { .. } => {
                OpErrorKind::NotFound
            }
            Self::Lines(FileLinesError::Disk(_) | FileLinesError::Tombstones(_))
            | Self::Read(ReadError::Disk(_))
            | Self::Disk(_)
            | Self::Index(_) => OpErrorKind::Internal,
            Self::Lines(_) | Self::Read(_) => OpErrorKind::NotFound,
            Self::Source(error) => match error.cause.downcast_ref::<ReadError>() {
                Some(ReadError::Disk(_)) | None => OpErrorKind::Internal,
                Some(_) => OpErrorKind::NotFound,
            },
        }
    }
}
