//! A token budget for lines.
//!
//! Selects nothing.

use base::{TokenCount, estimate_text};

/// The rest of a budget.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Room {
    left: TokenCount,
}

impl Room {
    /// A budget of `tokens`.
    pub(crate) fn new(tokens: TokenCount) -> Self {
        Self { left: tokens }
    }

    /// Spends the cost of a line and its newline, if there is enough left.
    pub(crate) fn take(&mut self, line: &str) -> bool {
        // Rounded up per line, so that the sum is never below the estimate of the whole.
        let cost = estimate_text(line) + TokenCount(1);
        let fits = cost <= self.left;
        if fits {
            self.left = self.left.saturating_sub(cost);
        }
        fits
    }
}
