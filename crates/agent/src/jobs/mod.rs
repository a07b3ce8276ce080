//! Flushes and compactions: awaited by a turn, or spawned alongside the chat.
//!
//! Never talks to a model itself: `writers` make the notes and summaries.

mod attempt;
pub(crate) mod backlog;
pub(crate) mod compaction;
pub(crate) mod flush;
pub(crate) mod idle;
pub(crate) mod off_thread;
pub(crate) mod owner_compaction;
pub(crate) mod pass;
pub(crate) mod poll;
mod promised;
mod recount;
pub(crate) mod session_flush;
pub(crate) mod slots;
pub(crate) mod step;

#[cfg(test)]
pub(crate) mod compaction_kit;
