//! The arithmetic of a context window: when compaction begins, how much it keeps, which messages are oversized.
//!
//! Pure arithmetic; the token counts come from the caller.

use base::TokenCount;

use crate::settings::{Free, WindowSettings};
use crate::strategy::{Policy, Strategy, WindowBounds};

const WINDOW_SMALL: TokenCount = TokenCount(32_000);

/// A detected window smaller than this is rejected. A configured window is the owner's choice and is accepted.
const WINDOW_REFUSED: TokenCount = TokenCount(16_000);

/// Minimum room for a summary and a reply, besides the newest message.
const SUMMARY_ROOM: TokenCount = TokenCount(300);

/// Largest share of `Budget::full` that the newest messages may keep, in hundredths; the rest lets the
/// conversation continue for a while before the next compaction.
const KEEP_PERCENT: u64 = 30;

/// A default reserve is limited to the window divided by this...
const RESERVE_PART: u64 = 4;

/// ...and a default soft threshold to the window divided by this.
const SOFT_PART: u64 = 16;

/// The division of a window, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// The whole window.
    pub window: TokenCount,
    /// Tokens kept free for a reply.
    pub reserve: TokenCount,
    /// Soft threshold: compaction begins this many tokens before the request reaches the reserve.
    pub soft: TokenCount,
    /// Request size at which the reserve or the soft threshold is reached, for any strategy.
    pub full: TokenCount,
    /// Request size at which the strategy compacts.
    pub trigger: TokenCount,
    /// What the strategy does with older messages.
    pub strategy: Strategy,
    /// The sizes at which the strategy acts.
    pub policy: Policy,
    /// Tokens of the newest messages that a compaction keeps.
    pub keep_recent: TokenCount,
    /// Size limit for a message, or for a call with all its results. Larger ones are shown as head and tail only.
    pub oversized: TokenCount,
}

/// The origin of a window's size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WindowSource {
    /// The owner configured it.
    Configured,
    /// The provider reported it.
    Detected,
}

/// A warning that a window is small but usable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WindowWarning {
    pub window: TokenCount,
    /// The smallest size without a warning.
    pub recommended: TokenCount,
}

/// The reason why a window is too small for a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BudgetError {
    /// The detected window is too small.
    #[error("the window of {window} tokens is too small; at least {minimum} are needed")]
    WindowRefused {
        window: TokenCount,
        /// The smallest accepted window.
        minimum: TokenCount,
    },
    /// The prefix leaves no room for a message and a reply.
    #[error(
        "the window of {window} tokens is too small by {missing}: these settings need {needed}, the sum of {reserve} \
         (compaction.reserveTokensFloor), {soft} (compaction.softThresholdTokens), {oversized} for the largest \
         message, {SUMMARY_ROOM} for a summary and {prefix} for the prompt"
    )]
    PrefixTooLarge {
        window: TokenCount,
        /// Tokens of the system prompt, tools and memory files.
        prefix: TokenCount,
        /// The smallest window that works.
        needed: TokenCount,
        /// Reserve of the smallest window that works.
        reserve: TokenCount,
        /// Soft threshold of the smallest window that works.
        soft: TokenCount,
        /// Largest message that the smallest working window shows whole.
        oversized: TokenCount,
        /// Number of tokens by which the window is too small.
        missing: TokenCount,
    },
}

impl Budget {
    /// Divides the window as the settings say.
    ///
    /// ```
    /// use compaction::{Budget, WindowSettings};
    /// assert_eq!(Budget::new(&WindowSettings::default()).trigger.to_string(), "176,000");
    /// ```
    pub fn new(settings: &WindowSettings) -> Self {
        let window = settings.context_window;
        let of_window = |free: Free, divisor| free.tokens(part(window, divisor));
        let reserve = of_window(settings.reserve_tokens_floor, RESERVE_PART);
        let soft = of_window(settings.soft_threshold_tokens, SOFT_PART);
        let full = window.saturating_sub(reserve + soft);
        let strategy = settings.strategy;
        let policy = strategy.rules().policy(WindowBounds {
            window,
            full,
            lasts_max: window.saturating_sub(soft.max(part(reserve, 2))),
            request_max: window.saturating_sub(soft),
        });
        Self {
            window,
            reserve,
            soft,
            full,
            trigger: policy.trigger,
            strategy,
            policy,
            keep_recent: settings.keep_recent_tokens.min(full.percent(KEEP_PERCENT)),
            oversized: part(window, 4),
        }
    }

    /// The largest request. The rest of the window is left for a reply, which may then be short.
    pub fn request_max(&self) -> TokenCount {
        self.window.saturating_sub(self.soft)
    }

    /// The largest request that is sent while a background job makes notes and a summary. With `handoff` this leaves
    /// half of the reserve for the reply.
    pub fn background_max(&self) -> TokenCount {
        self.policy.lasts_max
    }

    /// The size at which the strategy acts, as the owner configured it.
    pub fn threshold(&self) -> TokenCount {
        let own = self.strategy.rules().estimated_threshold();
        own.map_or(self.trigger, |own| own.min(self.trigger))
    }

    /// How much a request must grow after a compaction without effect before the next attempt.
    pub fn growth_min(&self) -> TokenCount {
        self.soft.max(TokenCount(1))
    }

    /// The request size from which the reply does not wait for a compaction. No turn adds as much; only an import or
    /// a much smaller window does.
    pub fn backlog_min(&self) -> TokenCount {
        self.window + self.window
    }

    /// The largest prefix that leaves room for the largest shown message and a summary without touching the reserve.
    pub fn prefix_max(&self) -> TokenCount {
        self.full.saturating_sub(self.oversized + SUMMARY_ROOM)
    }

    /// Checks that the prefix leaves room for a message and a reply.
    ///
    /// `prefix` must include the suffix. If the check passes, truncation can always free the reserve again, for any
    /// conversation.
    pub fn check_prefix(
        &self,
        settings: &WindowSettings,
        prefix: TokenCount,
    ) -> Result<(), BudgetError> {
        if self.holds(prefix) {
            return Ok(());
        }
        let needed = smallest(settings, prefix);
        Err(BudgetError::PrefixTooLarge {
            window: self.window,
            prefix,
            needed: needed.window,
            reserve: needed.reserve,
            soft: needed.soft,
            oversized: needed.oversized,
            missing: needed.window.saturating_sub(self.window),
        })
    }

    fn holds(&self, prefix: TokenCount) -> bool {
        let prefix_max = self.prefix_max();
        prefix <= prefix_max && prefix_max > TokenCount::ZERO
    }
}

/// The budget of the smallest window that has room for the prefix.
fn smallest(settings: &WindowSettings, prefix: TokenCount) -> Budget {
    let of = |window: u64| {
        Budget::new(&WindowSettings {
            context_window: TokenCount(window),
            ..settings.clone()
        })
    };
    let holds = |window| of(window).holds(prefix);
    let mut enough = 1_u64;
    while !holds(enough) && enough < u64::MAX / 2 {
        enough *= 2;
    }
    let mut too_small = enough / 2;
    while enough - too_small > 1 {
        let middle = too_small + (enough - too_small) / 2;
        if holds(middle) {
            enough = middle;
        } else {
            too_small = middle;
        }
    }
    of(enough)
}

/// Checks the size of a window; returns a warning if it is small but usable.
///
/// # Errors
///
/// [`BudgetError::WindowRefused`] for a detected window that is too small. A configured window is always accepted
/// here; [`Budget::check_prefix`] checks whether it can work.
pub fn check_window(
    window: TokenCount,
    source: WindowSource,
) -> Result<Option<WindowWarning>, BudgetError> {
    if source == WindowSource::Detected && window < WINDOW_REFUSED {
        return Err(BudgetError::WindowRefused {
            window,
            minimum: WINDOW_REFUSED,
        });
    }
    Ok((window < WINDOW_SMALL).then_some(WindowWarning {
        window,
        recommended: WINDOW_SMALL,
    }))
}

fn part(whole: TokenCount, divisor: u64) -> TokenCount {
    TokenCount(whole.0 / divisor.max(1))
}

#[cfg(test)]
#[path = "budget_tests.rs"]
mod tests;
