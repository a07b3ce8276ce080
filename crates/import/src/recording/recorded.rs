//! The message and error types of recordings.
//!
//! Data only.

use std::path::PathBuf;

use base::disk::DiskError;
use base::{Message, Origin, Timestamp};

/// Maximum bytes of a line. A message of this size fills any context window.
pub(super) const LINE_BYTES_MAX: usize = 64 * 1024 * 1024;

/// A message of a recording.
#[derive(Debug, Clone, PartialEq)]
pub struct Recorded {
    /// Its index among the messages, from 0.
    pub index: u64,
    /// SHA-256 of its line, in hex.
    pub hash: String,
    /// Time of the message, if recorded.
    pub at: Option<Timestamp>,
    /// The author who is responsible for it. A user message is the owner's, because the owner replays it.
    pub origin: Origin,
    /// What was said.
    pub message: Message,
}

/// The reason why a recording cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    /// It cannot be read.
    #[error(transparent)]
    Disk(#[from] DiskError),
    #[error("{} is a directory, not a recorded conversation", .0.display())]
    Directory(PathBuf),
    /// It holds no messages.
    #[error("{} contains no messages", .0.display())]
    Empty(PathBuf),
    /// It is not text; holds the file and the line, from 1.
    #[error("{} is not text: line {} contains a NUL byte", .0.display(), .1)]
    Binary(PathBuf, u64),
    /// It is text in another encoding.
    #[error("{} is not UTF-8 but looks like {encoding} (line {line})", path.display())]
    Encoding {
        /// The file.
        path: PathBuf,
        /// The encoding's name for `iconv -f`.
        encoding: &'static str,
        /// The line number, from 1.
        line: u64,
    },
    /// Its last line is cut off.
    #[error("{} is cut off in line {line}", path.display())]
    CutOff {
        /// The file.
        path: PathBuf,
        /// The line number, from 1.
        line: u64,
    },
    /// A line is too long; holds the file and the line number, from 1.
    #[error("line {} of {} is longer than {} MiB", .1, .0.display(), LINE_BYTES_MAX / 1024 / 1024)]
    TooLong(PathBuf, u64),
    /// It is a JSON array instead of one object per line.
    #[error("{} is one JSON array, not one message per line", .0.display())]
    Array(PathBuf),
    /// It is a session written by a newer version.
    #[error("{} is a session of format {found}; this version reads {supported}", path.display())]
    TooNew {
        /// The file.
        path: PathBuf,
        /// The version of its format.
        found: u64,
        /// The newest supported version.
        supported: u64,
    },
    /// A line is not a message.
    #[error("line {line} of {} is not a message: {reason}", path.display())]
    NotAMessage {
        /// The file.
        path: PathBuf,
        /// The line number, from 1.
        line: u64,
        /// The cause.
        reason: String,
    },
}
