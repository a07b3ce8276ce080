//! What goes on beside a conversation: notes and summaries that are made while the chat goes on.
//!
//! Nothing is written here but under the lock of a turn, at a safe point.

mod begin;
mod jobs;
mod settle;
mod tend;

pub(crate) use begin::{begin_compaction, begin_notes};
pub(crate) use jobs::Work;
pub use jobs::{Background, Execution};
pub(crate) use settle::settle;
pub use tend::{Tended, finish_background, tend_background};
pub(crate) use tend::{go_on, note_beside, stop_background};
