//! The strategies with their settings, and the sizes at which each acts.
//!
//! `decide` applies the policy; each strategy's own file chooses what leaves.

use base::TokenCount;

/// How a compaction changes the view. Each strategy's own file contains its rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Strategy {
    /// One summary replaces everything older; the newest messages stay verbatim.
    #[default]
    Handoff,
    /// One summary and the last request replace everything.
    Replace(Replace),
    /// The oldest part leaves at three increasing sizes; summaries stack.
    Tiered(Tiered),
    /// The first user message and the newest messages stay; a summary replaces the rest.
    Middle(Middle),
    /// No summaries; messages leave only if the request does not fit.
    #[strum(serialize = "none")]
    Off,
}

/// The settings of `replace`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Replace {
    /// The request size from which it acts; if `None`, it acts only on request.
    pub threshold: Option<TokenCount>,
}

/// The settings of `tiered`: shares of the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tiered {
    /// From this share on, it summarises the oldest 30%.
    pub background: Permille,
    /// From this share on, it summarises the oldest 50%.
    pub aggressive: Permille,
    /// From this share on, it drops the oldest 50% at once, without a model.
    pub emergency: Permille,
}

/// The settings of `middle`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Middle {
    /// The size in estimated tokens above which it acts.
    pub threshold: TokenCount,
    /// Number of the newest messages that stay.
    pub protected_tail: usize,
    /// Number of the newest messages that stay if no summary can be made.
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

/// The sizes at which a strategy acts. `decide` compares each request with them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    /// From this size on, something should leave.
    pub trigger: TokenCount,
    /// Up to this size, a request can be sent while a background job runs.
    pub lasts_max: TokenCount,
    /// Whether the owner waits for a summary up to `lasts_max`.
    pub waiting: Waiting,
    /// From this size on, no model is asked for a summary.
    pub emergency: TokenCount,
}

/// Whether the owner waits for a summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waiting {
    /// The owner does not wait: the summary is made in the background if possible.
    Nobody,
    /// The owner waits.
    Owner,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WindowBounds {
    pub(crate) window: TokenCount,
    pub(crate) full: TokenCount,
    /// The size that leaves half of the reserve free, but at least the soft threshold.
    pub(crate) lasts_max: TokenCount,
    /// The largest request.
    pub(crate) request_max: TokenCount,
}

impl Strategy {
    /// Converts the sizes to estimated tokens; the sizes of `middle` already are.
    #[must_use]
    pub(crate) fn scaled(self, to_estimate: impl Fn(TokenCount) -> TokenCount) -> Self {
        let Self::Replace(Replace { threshold }) = self else {
            return self;
        };
        let threshold = threshold.map(to_estimate);
        Self::Replace(Replace { threshold })
    }
}

impl WindowBounds {
    /// The smallest request that does not fit.
    pub(super) fn too_large(&self) -> TokenCount {
        self.request_max + TokenCount(1)
    }

    /// A policy that acts from `trigger` on while the owner waits. It always acts on a request that does not fit.
    pub(super) fn owner_waits_from(&self, trigger: TokenCount) -> Policy {
        Policy {
            trigger: trigger.min(self.too_large()),
            lasts_max: self.lasts_max,
            waiting: Waiting::Owner,
            emergency: TokenCount(u64::MAX),
        }
    }

    /// A policy that acts only on a request that does not fit, and without a model.
    pub(super) fn only_if_too_large(&self) -> Policy {
        Policy {
            emergency: self.too_large(),
            ..self.owner_waits_from(self.too_large())
        }
    }
}

#[cfg(test)]
#[path = "policy_tests.rs"]
mod tests;
