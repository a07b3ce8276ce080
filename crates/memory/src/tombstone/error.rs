//! Why what was forgotten could not be read or written.
//!
//! Knows no file.

use std::path::PathBuf;

use base::disk::{DiskError, by_process};
use base::locked_or_disk;

use super::model::TombstoneId;

/// Version of the file.
pub(super) const VERSION: u32 = 1;

/// The tombstones could not be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TombstoneError {
    /// Another process writes them; its id, where it is known.
    #[error("what is forgotten is locked{}", by_process(*.0))]
    Locked(Option<u32>),
    /// The file does not hold what it should. What was forgotten is then unknown, and nothing is shown.
    #[error("{path} is damaged in line {line}: {what}", path = .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What was found.
        what: String,
    },
    /// A newer version of the program wrote the file, in this format.
    #[error("{path} has format {1}; this version knows {VERSION}", path = .0.display())]
    TooNew(PathBuf, u32),
    /// So much is forgotten that no more can be: the file would have so many bytes.
    #[error("what is forgotten would take {0} bytes; at most {TOMBSTONES_BYTES_MAX} are kept")]
    Full(u64),
    /// There is no such tombstone.
    #[error("nothing was forgotten under the id {0}")]
    Unknown(TombstoneId),
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

locked_or_disk!(TombstoneError);

/// Longest file in bytes: some hundred thousand passages, and still read in a moment.
pub const TOMBSTONES_BYTES_MAX: u64 = 16 * 1024 * 1024;
