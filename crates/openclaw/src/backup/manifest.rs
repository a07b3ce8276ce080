//! The list at the end of a backup: what it holds, with the hash of each file.
//!
//! Says nothing of what stands in them.

use serde::{Deserialize, Serialize};

/// The version that this program writes; a greater one is refused.
pub(crate) const VERSION: u32 = 1;

/// Where it stands in the archive, after everything else: a backup that breaks off has none.
pub(super) const PATH: &str = "manifest.json";

/// The directory of the archive in which the files of the home stand.
pub(super) const HOME: &str = "home";

/// What a backup holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Manifest {
    pub(crate) version: u32,
    /// When it was made, RFC 3339.
    pub(crate) created_at: String,
    /// The version of the program that made it.
    pub(crate) program: String,
    /// The files, in the order of the archive.
    pub(crate) files: Vec<FileLine>,
}

/// A file of a backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FileLine {
    /// Relative to the home, with `/`.
    pub(crate) path: String,
    pub(crate) bytes: u64,
    /// SHA-256 of its content, in hex.
    pub(crate) sha256: String,
}
