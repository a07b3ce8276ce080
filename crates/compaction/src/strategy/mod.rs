//! How a summary takes its place in the transcript, one file a strategy.
//!
//! Gives entries; appends none.

mod handoff;

pub use handoff::compaction_entry;
