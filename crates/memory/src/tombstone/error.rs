//! Errors of reading and writing tombstones.

use std::path::PathBuf;

use base::disk::{DiskError, by_process};
use base::locked_or_disk;

use super::model::TombstoneId;

/// The format version of the file.
pub(super) const VERSION: u32 = 1;

/// The tombstones could not be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TombstoneError {
    /// Another process holds the lock; its id if known.
    #[error("the tombstones are locked{}", by_process(*.0))]
    Locked(Option<u32>),
    /// The file is damaged. Reason it is then unknown what to hide, nothing is shown.
    #[error("{path} is damaged at line {line}: {what}", path = .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The parse error.
        what: String,
    },
    /// A newer version of the program wrote the file: path, format version.
    #[error("{path} has format {1}; this version reads {VERSION}", path = .0.display())]
    TooNew(PathBuf, u32),
    /// The file would exceed its size limit: size in bytes.
    #[error("the tombstones would take {0} bytes; the limit is {TOMBSTONES_BYTES_MAX}")]
    Full(u64),
    /// There is no tombstone with this id.
    #[error("nothing was forgotten with the id {0}")]
    Unknown(TombstoneId),
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

locked_or_disk!(TombstoneError);

/// Size limit of the file in bytes: room for some hundred thousand passages, and still fast to read.
pub const TOMBSTONES_BYTES_MAX: u64 = 16 * 1024 * 1024;
