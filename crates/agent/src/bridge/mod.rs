//! Bridges to the memories of other programs: taken in, given out, and kept up to date in their own files.
//!
//! Decides what may pass; opens no file of another program but to read it.

mod model;

mod known;
mod own;
mod take;

mod export;
mod sync;

pub use export::exported_memories;
pub use model::{BridgeError, RefusedMemory, TakenMemories};
pub use sync::block_content;
pub use take::{MemoryImport, import_memories};
