//! Bridges to the memories of other programs: import, export, and a block kept up to date in their files.
//!
//! Decides what may pass; opens other programs' files only to read them.

mod model;

mod known;
mod own;
mod take;

mod export;
mod runs;
mod sync;

pub use export::exported_memories;
pub use model::{BridgeError, RefusedMemory, TakenMemories};
pub use runs::{
    FileCopied, ImportKind, ImportRun, ImportRuns, NoteWritten, NotesWritten, SessionImported,
    UndoneImport,
};
pub use sync::block_content;
pub use take::{MemoryImport, import_memories};
