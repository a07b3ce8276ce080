//! Checks a transcript line by line and reports what is wrong.
//!
//! Repairs nothing; keeps ids in memory, but no content.

mod calls;
mod finding;
mod flushes;
mod lines;

pub use finding::{FindingKind, Severity, VerifyFinding, VerifyReport};
pub use lines::verify;

#[cfg(test)]
#[path = "verify_tests.rs"]
mod tests;
