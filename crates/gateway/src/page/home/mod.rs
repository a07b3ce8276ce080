//! The first page: what the assistant knows about the owner, what is new, what is coming up, and what waits.
//!
//! Changes nothing but reminders.

mod look;
mod remind;
#[cfg(any(test, debug_assertions))]
mod samples;
mod view;

pub(super) use look::show;
pub(super) use remind::{add as add_reminder, undo as undo_reminder};

#[cfg(any(test, debug_assertions))]
pub(super) use samples::samples;
