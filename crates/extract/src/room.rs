//! A budget of tokens that lines are paid from.
//!
//! Chooses nothing.

use base::{TokenCount, estimate_text};

/// What is left of a budget.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Room {
    left: TokenCount,
}

impl Room {
    /// Room for so many tokens.
    pub(crate) fn new(tokens: TokenCount) -> Self {
        Self { left: tokens }
    }

    /// Takes the room of a line with its end, if there is enough.
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
