//! A message of a recording, and why a recording cannot be replayed.
//!
//! Data alone.

use std::path::PathBuf;

use base::disk::DiskError;
use base::{Message, Origin, Timestamp};

/// The longest line that is read; a recorded message of this size already fills any window.
pub(super) const LINE_BYTES_MAX: usize = 64 * 1024 * 1024;

/// A message of a recording.
#[derive(Debug, Clone, PartialEq)]
pub struct Recorded {
    /// Its place among the messages, from 0.
    pub index: u64,
    /// SHA-256 of its line, in hex.
    pub hash: String,
    /// When it was said, where the recording says so.
    pub at: Option<Timestamp>,
    /// Who is answerable for it: what the owner replays as said by the user is the owner's.
    pub origin: Origin,
    /// What was said.
    pub message: Message,
}

/// A recording that cannot be replayed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordingError {
    /// It cannot be read.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// It is a directory.
    #[error("{} is a directory, not a recorded conversation", path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
    },
    /// There is nothing in it.
    #[error("{} holds no message", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// It is not text.
    #[error("{} is not text: line {line} holds a zero byte", path.display())]
    Binary {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: u64,
    },
    /// It is text in another encoding.
    #[error("{} is not UTF-8 but looks like {encoding} (line {line})", path.display())]
    Encoding {
        /// The file.
        path: PathBuf,
        /// The name that `iconv -f` takes.
        encoding: &'static str,
        /// From 1.
        line: u64,
    },
    /// Its last line breaks off.
    #[error("{} breaks off in line {line}", path.display())]
    CutOff {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: u64,
    },
    /// A line is longer than can be replayed.
    #[error("line {line} of {} is longer than {} MiB", path.display(), LINE_BYTES_MAX / 1024 / 1024)]
    TooLong {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: u64,
    },
    /// It is one JSON document instead of one object a line.
    #[error("{} is one JSON array, not one message a line", path.display())]
    Array {
        /// The file.
        path: PathBuf,
    },
    /// It is a session that a newer version wrote.
    #[error("{} is a session of format {found}; this version reads {supported}", path.display())]
    TooNew {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u64,
        /// Ours.
        supported: u64,
    },
    /// A line is no message.
    #[error("line {line} of {} is not a message: {reason}", path.display())]
    NotAMessage {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: u64,
        /// What was wrong with it.
        reason: String,
    },
}
