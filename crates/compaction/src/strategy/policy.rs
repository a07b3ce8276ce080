//! The strategies, their settings, and the sizes at which each acts.
//!
//! `decide` applies the policy; the file of each strategy chooses what leaves.

use base::TokenCount;

use crate::rung::Rung;

/// What a compaction does with the view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Strategy {
    /// One summary replaces everything older; the newest messages stay verbatim.
    #[default]
    Handoff,
    /// One summary and the last request replace everything.
    Replace(Replace),
    /// The oldest part leaves at each of three sizes; summaries stack.
    Tiered(Tiered),
    /// The first user message and the newest messages stay; a summary replaces the rest.
    Middle(Middle),
    /// No summaries; messages leave only if the request does not fit.
    #[strum(serialize = "none")]
    Off,
}

/// When `replace` acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Replace {
    /// The request size from which it acts; if `None`, it never acts by itself.
    pub threshold: Option<TokenCount>,
}

/// When `tiered` acts, as shares of the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tiered {
    /// From this share on, summarise the oldest 30 %.
    pub background: Permille,
    /// From this share on, summarise the oldest 50 %.
    pub aggressive: Permille,
    /// From this share on, drop the oldest 50 % at once, without a model.
    pub emergency: Permille,
}

/// When `middle` acts, and what it keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Middle {
    /// It acts above this size, in estimated tokens.
    pub threshold: TokenCount,
    /// How many of the newest messages stay.
    pub protected_tail: usize,
    /// How many of the newest messages stay if no summary can be made.
    pub messages_max: usize,
    /// Maximum length of a shown tool result, in characters.
    pub result_chars_max: usize,
}

/// A share of a whole, in thousandths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Permille(pub u64);

impl Permille {
    /// This share of `whole`, rounded up.
    #[must_use]
    pub fn of(self, whole: TokenCount) -> TokenCount {
        let part = (u128::from(whole.0) * u128::from(self.0)).div_ceil(1_000);
        TokenCount(u64::try_from(part).unwrap_or(u64::MAX))
    }
}

impl Default for Replace {
    fn default() -> Self {
        Self {
            threshold: Some(TokenCount(200_000)),
        }
    }
}

impl Default for Tiered {
    fn default() -> Self {
        Self {
            background: Permille(800),
            aggressive: Permille(850),
            emergency: Permille(950),
        }
    }
}

impl Default for Middle {
    fn default() -> Self {
        Self {
            threshold: TokenCount(80_000),
            protected_tail: 6,
            messages_max: 50,
            result_chars_max: 40_000,
        }
    }
}

/// The sizes at which a strategy acts; `decide` compares a request with them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    /// From this size on, something should leave.
    pub trigger: TokenCount,
    /// Up to this size, a request can be sent while a background job runs.
    pub lasts_max: TokenCount,
    /// Who waits for a summary up to `lasts_max`.
    pub waiting: Waiting,
    /// From this size on, no model is asked.
    pub emergency: TokenCount,
}

/// Who waits for a summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waiting {
    /// No one: it is made in the background if possible.
    Nobody,
    /// The owner.
    Owner,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WindowBounds {
    pub(crate) window: TokenCount,
    pub(crate) full: TokenCount,
    /// The size that leaves half of the reserve, and at least the soft threshold, free.
    pub(crate) lasts_max: TokenCount,
    /// The largest request.
    pub(crate) request_max: TokenCount,
}

impl Strategy {
    /// The name used in files and settings.
    pub fn as_str(&self) -> &'static str {
        self.into()
    }

    /// The first rung to try: `best`, or truncation if the owner turned summaries off.
    pub fn first_rung(&self, best: Rung) -> Rung {
        match self {
            Self::Off | Self::Replace(Replace { threshold: None }) => Rung::Truncate,
            Self::Handoff | Self::Replace(_) | Self::Tiered(_) | Self::Middle(_) => best,
        }
    }

    /// Whether to try a rung after `first`, which was tried first: `middle` tries only that one.
    pub fn tries(&self, rung: Rung, first: Rung) -> bool {
        !self.asks_once() || rung == first
    }

    /// Whether a summary gets a single request: no second one for missing items, and none after a failure.
    pub fn asks_once(&self) -> bool {
        matches!(self, Self::Middle(_))
    }

    /// Whether to truncate only if the request does not fit, even above the trigger.
    pub(crate) fn truncates_only_for_room(&self) -> bool {
        matches!(self, Self::Replace(_))
    }

    /// The warning for a rung that failed.
    pub fn failure(&self, rung: Rung, reason: &str) -> String {
        if self.asks_once() && rung < Rung::Truncate {
            format!("Compaction failed: {reason}. Falling back to history trimming.")
        } else {
            format!("no summary from {}: {reason}", rung.as_str())
        }
    }

    /// Converts sizes to estimated tokens; those of `middle` are estimated tokens already.
    #[must_use]
    pub(crate) fn scaled(self, to_estimate: impl Fn(TokenCount) -> TokenCount) -> Self {
        let Self::Replace(Replace { threshold }) = self else {
            return self;
        };
        let threshold = threshold.map(to_estimate);
        Self::Replace(Replace { threshold })
    }

    /// The sizes at which it acts in a window; a request that does not fit always triggers it.
    pub(crate) fn policy(&self, bounds: WindowBounds) -> Policy {
        let too_large = bounds.request_max + TokenCount(1);
        let never = TokenCount(u64::MAX);
        let waiting_at = |trigger: TokenCount| Policy {
            trigger: trigger.min(too_large),
            lasts_max: bounds.lasts_max,
            waiting: Waiting::Owner,
            emergency: never,
        };
        match self {
            Self::Handoff => Policy {
                trigger: bounds.full,
                waiting: Waiting::Nobody,
                ..waiting_at(never)
            },
            Self::Replace(Replace {
                threshold: Some(threshold),
            }) => waiting_at(*threshold),
            Self::Middle(middle) => waiting_at(middle.threshold + TokenCount(1)),
            Self::Tiered(tiered) => {
                let emergency = tiered.emergency.of(bounds.window).min(too_large);
                Policy {
                    trigger: tiered.background.of(bounds.window).min(emergency),
                    lasts_max: emergency.saturating_sub(TokenCount(1)),
                    waiting: Waiting::Nobody,
                    emergency,
                }
            }
            Self::Off | Self::Replace(Replace { threshold: None }) => Policy {
                emergency: too_large,
                ..waiting_at(too_large)
            },
        }
    }
}

#[cfg(test)]
#[path = "policy_tests.rs"]
mod tests;
