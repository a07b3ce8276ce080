//! What was said: an append-only transcript and the view that a window has of it.
//!
//! Never changes a line, calls no model, knows nothing of memory.

mod entry;
mod name;
mod view;

pub use entry::{
    BranchSummary, Compaction, CompactionDetails, CopiedFrom, CustomMessage, Entry, EntryPointer,
    Epoch, FlushIntent, Meta, Payload, ReplaySource, Reset, Rewind, StoredMessage,
};
pub use name::{SessionName, SessionNameError};
pub use view::{View, ViewContent, ViewItem};
