//! What a summary is made from, frozen: a job may hold it while the chat goes on.
//!
//! Never reads a view: what was not frozen into it does not exist for it.

use session::Artifacts;

use super::SummaryPlan;
use crate::{AsOf, Audit, Rung};

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
    /// The rungs that were tried before and gave nothing.
    pub failed: Vec<Rung>,
    /// How much of what must not get lost it holds, in hundredths, where that was measured.
    pub retention_percent: Option<u64>,
    /// The index of what leaves.
    pub artifacts: Artifacts,
}

impl Summary {
    /// A summary with what the audit says of it.
    pub fn new(text: String, rung: Rung, audit: &Audit) -> Self {
        Self {
            retention_percent: Some(audit.retention_percent(&text)),
            text,
            rung,
            failed: Vec::new(),
            artifacts: audit.artifacts().clone(),
        }
    }
}
