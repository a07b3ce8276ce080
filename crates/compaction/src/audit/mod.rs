//! Finds what a summary of a span must hold, and measures how much of it does.
//!
//! Deterministic: asks no model and reads no clock.

mod artifacts;
mod claim;
mod held;
mod identifiers;
mod measure;
mod span;

pub use claim::Cues;
pub use span::Audit;

pub(crate) use claim::ClaimKind;
