//! What became of memories, and why something did not.
//!
//! Data alone.

use std::path::PathBuf;

use base::disk::DiskError;
use import::{MemoryFileError, MemoryFormat};
use memory::graph::{GraphError, GraphImport};
use memory::{FileLinesError, LogError, TombstoneError};

/// What became of the memories of a file.
#[derive(Debug, Default)]
pub struct TakenMemories {
    /// The file.
    pub path: PathBuf,
    /// What it is; `None` where that is not known.
    pub format: Option<MemoryFormat>,
    /// How many were noted.
    pub n_taken: usize,
    /// How many were there already, or were taken once before.
    pub n_known: usize,
    /// Of those that were noted, in how many a secret was taken out.
    pub n_redacted: usize,
    /// What was not taken.
    pub refused: Vec<RefusedMemory>,
    /// What came into the graph, where it is one.
    pub graph: Option<GraphImport>,
    /// Why nothing of it could be read, or not all be written.
    pub failure: Option<BridgeError>,
}

/// A memory that was not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedMemory {
    /// Its line in the file.
    pub line: usize,
    /// Why.
    pub reason: String,
}

/// Memories that do not pass.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BridgeError {
    /// The file of another program cannot be read.
    #[error(transparent)]
    File(#[from] MemoryFileError),
    /// A note of our own cannot be read.
    #[error(transparent)]
    Note(#[from] FileLinesError),
    /// A log cannot be written.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The graph cannot be written.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// It is not known what was forgotten.
    #[error(transparent)]
    Tombstones(#[from] TombstoneError),
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}
