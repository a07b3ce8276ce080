//! The ways in which a file that the program keeps cannot be used, once for all files.
//!
//! Never says what the caller wanted to do with the file.

use std::path::PathBuf;

use base::disk::{DiskError, LockError, by_process};

use crate::workspace::locked_subject;

/// A file cannot be read or written. A file is named relative to the workspace, or to the home.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// Another process holds the lock.
    #[error("{subject} locked{}", by_process(*pid))]
    Locked {
        /// What is locked, with its verb: `MEMORY.md is`.
        subject: &'static str,
        /// The process, if known.
        pid: Option<u32>,
    },
    /// Another program saved the file after it was read.
    #[error("another program saved {0} in the meantime; nothing was written")]
    Changed(String),
    /// Another program saved the file at each of several attempts.
    #[error("another program saved {0} at every attempt to write it")]
    Busy(String),
    /// The file cannot be parsed.
    #[error("{file} is damaged{}: {cause}", at_line(*line))]
    Damaged {
        file: String,
        /// The line, from 1, if known.
        line: Option<usize>,
        /// The parse error.
        cause: String,
        /// What to do about it.
        fix: &'static str,
    },
    /// A newer version of the program wrote the file: file, format version.
    #[error("{0} has the newer version {1}; nothing was written")]
    TooNew(String, u32),
    /// A symlink leads out of the workspace: file, target.
    #[error("{0} points outside the workspace, to {target}", target = .1.display())]
    Outside(String, PathBuf),
    /// An earlier sync failed, so the content on disk is unknown.
    #[error("cannot write {0} after a failed sync; restart the program")]
    Poisoned(String),
    /// The file has, or would have, more bytes than are read back.
    #[error("{file} takes {n_bytes} bytes; the limit is {n_bytes_max}")]
    TooLarge {
        file: String,
        /// Its size, or the size that it would have.
        n_bytes: u64,
        /// The limit.
        n_bytes_max: u64,
    },
    /// The file has invalid UTF-8 at this line. Writing the decoded text back would lose bytes.
    #[error("{0} is not UTF-8 at line {1}; nothing was written")]
    NotUtf8(String, usize),
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

impl From<LockError> for FileError {
    fn from(error: LockError) -> Self {
        match error {
            LockError::Held { path, pid } => Self::Locked {
                subject: locked_subject(&path),
                pid,
            },
            LockError::Disk(error) => Self::Disk(error),
        }
    }
}

fn at_line(line: Option<usize>) -> String {
    line.map_or_else(String::new, |line| format!(" at line {line}"))
}

/// Converts the errors of disks and locks into an error type with a variant `File`.
macro_rules! file_error_from_disk {
    ($error:ty) => {
        impl From<base::disk::DiskError> for $error {
            fn from(error: base::disk::DiskError) -> Self {
                $crate::FileError::from(error).into()
            }
        }

        impl From<base::disk::LockError> for $error {
            fn from(error: base::disk::LockError) -> Self {
                $crate::FileError::from(error).into()
            }
        }
    };
}
pub(crate) use file_error_from_disk;
