//! The strategies with their settings, and the sizes at which one acts.
//!
//! `decide` applies the policy; the file of each strategy chooses what leaves.

use base::TokenCount;

/// What a compaction does with the view. The file of each strategy has its rules.
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
    /// Converts sizes to estimated tokens; those of `middle` are estimated tokens already.
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

    /// Acts from this size on while the owner waits; a request that does not fit always triggers it.
    pub(super) fn owner_waits_from(&self, trigger: TokenCount) -> Policy {
        Policy {
            trigger: trigger.min(self.too_large()),
            lasts_max: self.lasts_max,
            waiting: Waiting::Owner,
            emergency: TokenCount(u64::MAX),
        }
    }

    /// Acts only if the request does not fit, without a model.
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
