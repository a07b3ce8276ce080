//! Errors of the index.
//!
//! None loses data: the index can always be rebuilt.

use std::io::{self, ErrorKind};

use base::disk::{DiskError, by_process};
use base::{SourceError, locked_or_disk};
use tantivy::TantivyError;
use tantivy::directory::error::{LockError as PostingsLock, OpenReadError, OpenWriteError};

use super::schema::FORMAT;

/// The index could not be used.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// Another process is writing the index; holds its id, if known.
    #[error("the search index is being written{}", by_process(*.0))]
    Locked(Option<u32>),
    /// Another process rebuilt the index; the open one is gone from disk.
    #[error("another process rebuilt the search index")]
    Replaced,
    /// A newer version of the program made the index; holds its directory and format.
    #[error("the search index in {0} has format {1}, but this version reads format {FORMAT}")]
    TooNew(String, u32),
    /// There is no index, and none can be created without write access.
    #[error("there is no search index yet, and one cannot be built without write access")]
    Missing,
    /// The store has no tables, because a crash ended its creation.
    #[error("the search index has not been built yet")]
    Unmade,
    /// A file of the index is corrupt; holds what was found.
    #[error("the index is damaged: {0}")]
    Damaged(String),
    /// The disk is full.
    #[error("cannot write the search index: the disk is full")]
    Full,
    /// The store failed.
    #[error("cannot read or write the texts of the search index")]
    Store(#[source] rusqlite::Error),
    /// The postings failed.
    #[error("cannot read or write the words of the search index")]
    Lexical(#[source] TantivyError),
    /// A document could not be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The tombstones cannot be read.
    #[error(transparent)]
    Forgotten(Box<dyn std::error::Error + Send + Sync>),
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

impl IndexError {
    /// Whether a rebuild helps.
    pub fn is_damage(&self) -> bool {
        matches!(self, Self::Damaged(..) | Self::Unmade)
    }

    /// The I/O error that prevents writing the index, if that is the cause.
    pub fn obstacle(&self) -> Option<ErrorKind> {
        if matches!(self, Self::Full) {
            return Some(ErrorKind::StorageFull);
        }
        if let Self::Store(error) = self {
            return obstacle_of_store(error.sqlite_error_code()?);
        }
        let kind = if let Self::Lexical(TantivyError::IoError(error)) = self {
            error.kind()
        } else if let Self::Lexical(TantivyError::OpenWriteError(error)) = self
            && let OpenWriteError::IoError { io_error, .. } = error
        {
            io_error.kind()
        } else if let Self::Disk(error) = self {
            error.kind()
        } else {
            return None;
        };
        let is_refusal = matches!(
            kind,
            ErrorKind::PermissionDenied
                | ErrorKind::ReadOnlyFilesystem
                | ErrorKind::StorageFull
                | ErrorKind::QuotaExceeded
                | ErrorKind::FileTooLarge
        );
        is_refusal.then_some(kind)
    }
}

fn obstacle_of_store(code: rusqlite::ErrorCode) -> Option<ErrorKind> {
    use rusqlite::ErrorCode::{CannotOpen, PermissionDenied, ReadOnly, SystemIoFailure};
    if code == SystemIoFailure {
        return Some(ErrorKind::Other);
    }
    matches!(code, ReadOnly | PermissionDenied | CannotOpen).then_some(ErrorKind::PermissionDenied)
}

impl From<rusqlite::Error> for IndexError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::Error;
        use rusqlite::ErrorCode::{
            DatabaseBusy, DatabaseCorrupt, DatabaseLocked, NotADatabase, TypeMismatch, Unknown,
        };
        let code = error.sqlite_error_code();
        let is_damaged = matches!(
            code,
            Some(DatabaseCorrupt | NotADatabase | TypeMismatch | Unknown)
        );
        let is_unreadable = matches!(
            error,
            Error::FromSqlConversionFailure(..)
                | Error::IntegralValueOutOfRange(..)
                | Error::InvalidColumnType(..)
                | Error::QueryReturnedNoRows
                | Error::Utf8Error(..)
        );
        if is_for_want_of_room(&error) {
            Self::Full
        } else if matches!(code, Some(DatabaseBusy | DatabaseLocked)) {
            Self::Locked(None)
        } else if is_damaged || is_unreadable {
            Self::Damaged(error.to_string())
        } else {
            Self::Store(error)
        }
    }
}

/// SQLite reports a full disk in two ways: for its files, and for the shared memory of the WAL.
fn is_for_want_of_room(error: &rusqlite::Error) -> bool {
    use rusqlite::ffi::{SQLITE_FULL, SQLITE_IOERR_SHMSIZE};
    let code = error.sqlite_error().map(|error| error.extended_code);
    code.is_some_and(|code| [SQLITE_FULL, SQLITE_IOERR_SHMSIZE].contains(&code))
}

impl From<TantivyError> for IndexError {
    fn from(error: TantivyError) -> Self {
        match Self::of_postings(error) {
            failed if failed.obstacle() == Some(ErrorKind::StorageFull) => Self::Full,
            failed => failed,
        }
    }
}

impl IndexError {
    fn of_postings(error: TantivyError) -> Self {
        if let TantivyError::LockFailure(PostingsLock::IoError(cause), _) = error {
            Self::Lexical(TantivyError::IoError(cause))
        } else if matches!(error, TantivyError::LockFailure(..)) {
            Self::Locked(None)
        } else if let Some(want) = want_of_means(&error) {
            // A rebuild would fail as well.
            Self::Disk(want)
        } else if is_of_the_machine(&error) {
            Self::Lexical(error)
        } else {
            Self::Damaged(error.to_string())
        }
    }
}

/// The resource that the system lacks to open a file of the postings.
fn want_of_means(error: &TantivyError) -> Option<DiskError> {
    let TantivyError::OpenReadError(OpenReadError::IoError { io_error, filepath }) = error else {
        return None;
    };
    let code = io_error.raw_os_error()?;
    let error = DiskError::on("open", filepath)(io::Error::from_raw_os_error(code));
    error.is_resource_exhausted().then_some(error)
}

/// Whether the system refused, so that a rebuild would fail as well.
fn is_of_the_machine(error: &TantivyError) -> bool {
    if let TantivyError::IoError(cause) = error {
        let is_content = matches!(
            cause.kind(),
            ErrorKind::UnexpectedEof | ErrorKind::InvalidData | ErrorKind::NotFound
        );
        return !is_content;
    }
    matches!(
        error,
        TantivyError::OpenWriteError(_)
            | TantivyError::SystemError(_)
            | TantivyError::ErrorInThread(_)
            | TantivyError::Poisoned
    )
}

locked_or_disk!(IndexError);

#[cfg(test)]
#[path = "error_tests.rs"]
mod tests;
