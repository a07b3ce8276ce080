//! The pages about sessions: the list, the course of each, and the messages behind a summary.
//!
//! Changes nothing.

mod chart;
mod course;
mod list;
mod summary;

pub(super) use course::show;
pub(super) use list::list;
pub(super) use summary::summary;
