//! The arithmetic of a window: where compaction begins, what it leaves, what is too large.
//!
//! Counts nothing itself: it is given numbers and gives numbers.

use base::TokenCount;

use crate::settings::{Free, Settings};
use crate::strategy::{Policy, Strategy, WindowBounds};

const WINDOW_SMALL: TokenCount = TokenCount(32_000);

/// Below this a window that was found out is refused; one that the owner set is the owner's wish.
const WINDOW_REFUSED: TokenCount = TokenCount(16_000);

/// The least that a summary and the reply of a model must find room for, besides the newest message.
const SUMMARY_ROOM: TokenCount = TokenCount(300);

/// The most that the newest messages may take of the trigger, in hundredths; what is left lets the
/// conversation go on for a while before the next compaction.
const KEEP_PERCENT: u64 = 30;

/// A default reserve takes at most this part of the window...
const RESERVE_PART: u64 = 4;

/// ...and a default soft threshold this one.
const SOFT_PART: u64 = 16;

/// How a window is shared out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// The whole window.
    pub window: TokenCount,
    /// What is kept free for a reply.
    pub reserve: TokenCount,
    /// By how much compaction comes earlier than the reserve asks.
    pub soft: TokenCount,
    /// From this size on a request touches what is kept free, whatever the strategy.
    pub full: TokenCount,
    /// From this size on a request calls for compaction: where the strategy wishes it.
    pub trigger: TokenCount,
    /// What the strategy does with older messages.
    pub strategy: Strategy,
    /// When it does so.
    pub policy: Policy,
    /// What a compaction leaves of the newest messages.
    pub keep_recent: TokenCount,
    /// A message above this is shown as head and tail, as is a call with all its results.
    pub oversized: TokenCount,
}

/// Where the size of a window comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WindowSource {
    /// The owner wrote it into the configuration.
    Configured,
    /// The provider said so.
    Detected,
}

/// What is said about a window that works, but badly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WindowWarning {
    /// The window.
    pub window: TokenCount,
    /// The size from which on nothing would be said.
    pub recommended: TokenCount,
}

/// A window in which no conversation can be held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BudgetError {
    /// The window that was found out is too small.
    #[error("the window of {window} tokens is too small; at least {minimum} are needed")]
    WindowRefused {
        /// The window.
        window: TokenCount,
        /// The least that is taken.
        minimum: TokenCount,
    },
    /// What every request begins with leaves no room for a message and a reply.
    #[error(
        "the window of {window} tokens is too small by {missing}: the prompt takes {prefix} tokens and \
         {free} are kept free for the reply, and with these settings a window of {needed} is the smallest \
         that leaves room for a message and a reply beside it"
    )]
    PrefixTooLarge {
        /// The window.
        window: TokenCount,
        /// System prompt, tools and memory files.
        prefix: TokenCount,
        /// Reserve and soft threshold.
        free: TokenCount,
        /// The smallest window that would do.
        needed: TokenCount,
        /// By how much the window is too small.
        missing: TokenCount,
    },
}

impl Budget {
    /// Shares out a window.
    ///
    /// ```
    /// use compaction::{Budget, Settings};
    /// assert_eq!(Budget::new(&Settings::default()).trigger.to_string(), "176,000");
    /// ```
    pub fn new(settings: &Settings) -> Self {
        let window = settings.context_window;
        let of_window = |free: Free, divisor| free.tokens(part(window, divisor));
        let reserve = of_window(settings.reserve_tokens_floor, RESERVE_PART);
        let soft = of_window(settings.soft_threshold_tokens, SOFT_PART);
        let full = window.saturating_sub(reserve).saturating_sub(soft);
        let strategy = settings.strategy;
        let policy = strategy.policy(WindowBounds {
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

    /// The most that a request may hold: what lies above is left for the reply, however short.
    pub fn request_max(&self) -> TokenCount {
        self.window.saturating_sub(self.soft)
    }

    /// Up to this size a request is sent while notes and a summary are made in the background; with
    /// `handoff` half of the reserve is then still left for the reply.
    pub fn background_max(&self) -> TokenCount {
        self.policy.lasts_max
    }

    /// By how much a request must grow before another attempt follows one without effect.
    pub fn growth_min(&self) -> TokenCount {
        self.soft.max(TokenCount(1))
    }

    /// The most that system prompt, tools and memory files may take: beside them, the largest message
    /// that is shown and a summary still fit while the reserve is free.
    pub fn prefix_max(&self) -> TokenCount {
        self.full
            .saturating_sub(self.oversized)
            .saturating_sub(SUMMARY_ROOM)
    }

    /// Checks that what every request begins with leaves room for a message and a reply.
    ///
    /// What is added for one request alone counts as well. Where this holds, whatever the conversation
    /// brings, truncation frees the reserve again.
    pub fn check_prefix(&self, settings: &Settings, prefix: TokenCount) -> Result<(), BudgetError> {
        if self.holds(prefix) {
            return Ok(());
        }
        let needed = smallest_window(settings, prefix);
        Err(BudgetError::PrefixTooLarge {
            window: self.window,
            prefix,
            free: self.reserve + self.soft,
            needed,
            missing: needed.saturating_sub(self.window),
        })
    }

    fn holds(&self, prefix: TokenCount) -> bool {
        let prefix_max = self.prefix_max();
        prefix <= prefix_max && prefix_max > TokenCount::ZERO
    }
}

fn smallest_window(settings: &Settings, prefix: TokenCount) -> TokenCount {
    let holds = |window: u64| {
        let settings = Settings {
            context_window: TokenCount(window),
            ..settings.clone()
        };
        Budget::new(&settings).holds(prefix)
    };
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
    TokenCount(enough)
}

/// Checks the size of a window; gives a warning where it works, but badly.
///
/// # Errors
///
/// [`BudgetError::WindowRefused`] for a detected window that is too small. One that the owner set is
/// never refused here: [`Budget::check_prefix`] tells whether it can work.
pub fn check_window(
    window: TokenCount,
    source: WindowSource,
) -> Result<Option<WindowWarning>, BudgetError> {
    match source {
        WindowSource::Detected if window < WINDOW_REFUSED => Err(BudgetError::WindowRefused {
            window,
            minimum: WINDOW_REFUSED,
        }),
        WindowSource::Detected | WindowSource::Configured => {
            Ok((window < WINDOW_SMALL).then_some(WindowWarning {
                window,
                recommended: WINDOW_SMALL,
            }))
        }
    }
}

fn part(whole: TokenCount, divisor: u64) -> TokenCount {
    TokenCount(whole.0 / divisor.max(1))
}

#[cfg(test)]
#[path = "budget_tests.rs"]
mod tests;
