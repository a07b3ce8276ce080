//! Results and errors of importing memories.

use std::path::PathBuf;

use base::disk::DiskError;
use import::{MemoryFileError, MemoryFormat};
use memory::graph::{GraphError, GraphImport};
use memory::{FileError, FileLinesError, ForgetError, LogError};

use super::runs::NotesWritten;
use crate::forgetting::ForgetPlanError;
use crate::take::TakeError;

/// The result of importing one file.
#[derive(Debug, Default)]
pub struct TakenMemories {
    /// The file.
    pub path: PathBuf,
    /// Its format; `None` if unknown.
    pub format: Option<MemoryFormat>,
    /// Memories imported.
    pub n_taken: usize,
    /// Memories already present or imported before.
    pub n_known: usize,
    /// Imported memories from which a secret was redacted.
    pub n_redacted: usize,
    /// Memories not imported.
    pub refused: Vec<RefusedMemory>,
    /// The graph import, if the file holds a graph.
    pub graph: Option<GraphImport>,
    /// The notes that were written into the daily logs, for an undo.
    pub written: Vec<NotesWritten>,
    /// Why the file could not be read, or not all of it written.
    pub failure: Option<BridgeError>,
}

/// A memory that was not imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedMemory {
    /// Its line in the file.
    pub line: usize,
    pub reason: String,
}

/// Why memories could not be imported or exported.
#[derive(Debug, thiserror::Error)]
pub enum BridgeError {
    /// Another program's file cannot be read.
    #[error(transparent)]
    File(#[from] MemoryFileError),
    /// One of our notes cannot be read.
    #[error(transparent)]
    Note(#[from] FileLinesError),
    /// A log cannot be written.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The graph cannot be written.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The tombstones cannot be read.
    #[error(transparent)]
    Tombstones(#[from] FileError),
    /// What was made from a session cannot be planned.
    #[error(transparent)]
    Plan(#[from] ForgetPlanError),
    /// What was made from a session cannot be taken back.
    #[error(transparent)]
    TakeBack(#[from] ForgetError),
    /// A session cannot be changed.
    #[error(transparent)]
    Session(#[from] TakeError),
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}
