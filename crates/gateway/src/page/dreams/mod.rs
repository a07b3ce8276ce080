//! The review page: waiting candidates, their evidence, and the change that accepting each would make.
//!
//! Does not judge candidates.

mod act;
mod evidence;
mod look;
#[cfg(any(test, debug_assertions))]
mod samples;
mod view;

pub(super) use act::{DoneQuery, LEFT_FIELD, decide, undo};
pub(super) use evidence::evidence;
pub(super) use look::{show, show_all, sources};

#[cfg(any(test, debug_assertions))]
pub(super) use samples::samples;
