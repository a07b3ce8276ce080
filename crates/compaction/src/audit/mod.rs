//! Finds out what a span is about, and whether a summary still says it.
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
