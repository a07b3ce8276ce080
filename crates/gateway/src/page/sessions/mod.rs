//! Conversations: which there are, the course of each, and what a summary stands for.
//!
//! Changes nothing.

mod chart;
mod course;
mod list;
mod summary;

pub(super) use course::show;
pub(super) use list::list;
pub(super) use summary::summary;
