//! Finds the facts that a summary of a span should keep, and measures how many of them it keeps.
//!
//! Deterministic: asks no model and reads no clock.

mod artifacts;
mod held;
mod identifiers;
mod measure;
mod span;

pub use span::Audit;
