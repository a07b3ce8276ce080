//! The dreams page: candidates that wait, with their evidence and what accepting each would change.
//!
//! Judges no candidate.

mod act;
mod evidence;
mod look;
mod view;

pub(super) use act::{LEFT_FIELD, decide, left_by_last, undo};
pub(super) use evidence::evidence;
pub(super) use look::{show, sources};
