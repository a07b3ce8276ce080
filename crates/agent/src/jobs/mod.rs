//! Flushes and compactions: awaited by a turn, or spawned beside the chat.
//!
//! Never talks to a model itself: `writers` make the notes and summaries.

pub(crate) mod backlog;
pub(crate) mod compact;
pub(crate) mod compaction_events;
pub(crate) mod driver;
pub(crate) mod flush;
pub(crate) mod idle;
pub(crate) mod off_thread;
pub(crate) mod owner_compaction;
pub(crate) mod poll;
pub(crate) mod session_end;
pub(crate) mod slots;
pub(crate) mod step;

#[cfg(test)]
pub(crate) mod compaction_kit;
