//! The first page: what the assistant knows about the owner, what is new, what is coming up, and what waits.
//!
//! Changes nothing.

mod look;
#[cfg(any(test, debug_assertions))]
mod samples;
mod view;

pub(super) use look::show;

#[cfg(any(test, debug_assertions))]
pub(super) use samples::samples;
