//! What waits for the owner's decision, with what says so and what accepting it changes.
//!
//! Judges no candidate.

mod act;
mod evidence;
mod look;
mod view;

pub(super) use act::{decide, undo};
pub(super) use evidence::{EvidenceShown, evidence};
pub(super) use look::show;
