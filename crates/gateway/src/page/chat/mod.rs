//! The chat page: a conversation with the assistant, streamed, with its memory in the margin.
//!
//! Holds no policy: a turn is that of every other door, in `agent`.

mod command;
mod memory;
#[cfg(any(test, debug_assertions))]
mod samples;
mod say;
mod show;
mod turn;
mod view;

pub(super) use say::say;
pub(super) use show::{show, show_primary};

#[cfg(any(test, debug_assertions))]
pub(super) use samples::samples;
