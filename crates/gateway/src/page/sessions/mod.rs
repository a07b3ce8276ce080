//! The pages about conversations: the list, the messages of each, its course, and what a summary covers.
//!
//! Changes nothing.

mod chart;
mod course;
mod list;
mod margin;
mod read;
#[cfg(any(test, debug_assertions))]
mod samples;
mod summary;
mod talk;

pub(super) use course::show;
pub(super) use list::list;
pub(super) use margin::margin_of;
pub(super) use read::{read, window};
pub(super) use summary::summary;
pub(super) use talk::{Talk, talk};

#[cfg(any(test, debug_assertions))]
pub(super) use samples::{sample_talk, samples};
