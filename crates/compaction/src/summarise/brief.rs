//! What a summary is made from, frozen: a job may hold it while the chat goes on.
//!
//! Never reads a view: what was not frozen into it does not exist for it.

use super::SummaryPlan;
use crate::{AsOf, Rung};

/// Everything that asking for a summary and reading it takes.
#[derive(Debug, Clone, PartialEq)]
pub struct SummaryBrief {
    /// What leaves, and how large the summary may be.
    pub plan: SummaryPlan,
    /// The moment on the owner's clock.
    pub as_of: AsOf,
    /// What the owner asks of this summary, in the owner's words.
    pub instructions: Option<String>,
}

/// A summary that is worth having.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// The text that the window shows.
    pub text: String,
    /// How it was made.
    pub rung: Rung,
    /// How much of what should be found again it holds, in hundredths, where that was measured.
    pub retention_percent: Option<u64>,
}
