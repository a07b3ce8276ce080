//! Checks a transcript line by line and says where it is wrong.
//!
//! Repairs nothing, and holds ids rather than what was said.

mod calls;
mod finding;
mod flushes;
mod lines;

pub use finding::{Finding, FindingKind, Severity, VerifyReport};
pub use lines::verify;

#[cfg(test)]
#[path = "verify_tests.rs"]
mod tests;
