//! Finds what a summary of a span should hold, and measures how much of it does.
//!
//! Deterministic: asks no model and reads no clock.

mod artifacts;
mod held;
mod identifiers;
mod measure;
mod span;

pub use span::Audit;
