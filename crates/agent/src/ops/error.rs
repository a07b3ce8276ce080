//! Why an operation failed.
//!
//! Each door says it in its own form: an exit code and hints, a status, or a sentence.

use base::SourceError;
use base::disk::DiskError;
use memory::candidates::{MemoryTxnError, ReviewError};
use memory::{FileLinesError, LogError, TombstoneError, TombstoneId, WorkspacePathError};
use search::IndexError;
use session::ReadError;

use super::asked;
use crate::about::AboutError;
use crate::asked::AskedError;
use crate::expand::ExpandError;

/// Why an operation failed.
#[derive(Debug, thiserror::Error)]
pub enum OpError {
    /// A parameter has a value that it cannot have.
    #[error("{parameter}: {why}")]
    Invalid {
        /// The parameter.
        parameter: &'static str,
        /// What is wrong with it.
        why: String,
    },
    /// This conversation has no memory to search.
    #[error("there is no memory to search here")]
    NoMemory,
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
    /// The owner forgot the text of a note.
    #[error("this was forgotten, so the note would stay hidden")]
    Forgotten(TombstoneId),
    /// A note has no text.
    #[error("the note is empty")]
    EmptyNote,
    /// A line would not go into `MEMORY.md`, with the reason.
    #[error("MEMORY.md was not changed: {0}")]
    NotRemembered(String),
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
    /// A summary cannot be expanded.
    #[error(transparent)]
    Expand(ExpandError),
    /// A note cannot be written.
    #[error(transparent)]
    Log(#[from] LogError),
    /// A line cannot be remembered.
    #[error(transparent)]
    Asked(#[from] AskedError),
    /// Memory cannot be read.
    #[error(transparent)]
    About(#[from] AboutError),
    /// The tombstones cannot be read.
    #[error(transparent)]
    Tombstones(#[from] TombstoneError),
    /// Candidates or `MEMORY.md` cannot be changed.
    #[error(transparent)]
    Txn(#[from] MemoryTxnError),
    /// The decision is not possible.
    #[error(transparent)]
    Review(#[from] ReviewError),
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
    pub(super) fn invalid(parameter: &'static str, why: String) -> Self {
        Self::Invalid { parameter, why }
    }

    /// The kind of this failure.
    pub fn kind(&self) -> OpErrorKind {
        match self {
            Self::Invalid { .. }
            | Self::Path(_)
            | Self::EmptyNote
            | Self::Log(LogError::NoteTooLong(..))
            | Self::Review(ReviewError::Ambiguous(..) | ReviewError::Empty) => OpErrorKind::Invalid,
            Self::OtherRepository(_)
            | Self::NoMessage { .. }
            | Self::NoEntry { .. }
            | Self::Expand(_)
            | Self::Asked(AskedError::NoLine(_) | AskedError::NoNote(_))
            | Self::Review(ReviewError::Unknown(_)) => OpErrorKind::NotFound,
            Self::Lines(error) => of_lines(error),
            Self::Read(error) => of_read(Some(error)),
            Self::Source(error) => of_read(error.cause.downcast_ref()),
            Self::Forgotten(_)
            | Self::NotRemembered(_)
            | Self::Asked(AskedError::SeveralLines(_) | AskedError::SeveralNotes(..))
            | Self::Review(ReviewError::Decided(..))
            | Self::Txn(
                MemoryTxnError::Review(_)
                | MemoryTxnError::Undo(_)
                | MemoryTxnError::Forgotten
                | MemoryTxnError::Busy,
            ) => OpErrorKind::Conflict,
            Self::NoMemory
            | Self::Disk(_)
            | Self::Index(_)
            | Self::Log(_)
            | Self::Asked(_)
            | Self::About(_)
            | Self::Tombstones(_)
            | Self::Txn(_) => OpErrorKind::Internal,
        }
    }

    /// What to do about it, if the operation knows.
    pub fn hint(&self) -> Option<String> {
        if let Self::Forgotten(id) = self {
            return Some(format!("`openclaw memory forget --undo {id}` restores it"));
        }
        if let Self::NotRemembered(because) = self {
            return asked::hint(because).map(str::to_owned);
        }
        matches!(self, Self::EmptyNote).then(|| {
            "type its text, as in `openclaw memory add The tax form is due in May`".to_owned()
        })
    }
}

fn of_lines(error: &FileLinesError) -> OpErrorKind {
    let is_internal = matches!(
        error,
        FileLinesError::Disk(_) | FileLinesError::Tombstones(_)
    );
    if is_internal {
        OpErrorKind::Internal
    } else {
        OpErrorKind::NotFound
    }
}

fn of_read(error: Option<&ReadError>) -> OpErrorKind {
    match error {
        Some(ReadError::Disk(_)) | None => OpErrorKind::Internal,
        Some(_) => OpErrorKind::NotFound,
    }
}
