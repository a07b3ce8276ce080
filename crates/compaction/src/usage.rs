//! What a provider's tokens are in estimated ones, learned from what it counted for our requests.
//!
//! Never believes a number that the request cannot have had.

use base::{Message, TokenCount, Usage};
use session::{View, ViewContent};

use crate::Settings;

/// The estimator is never off by more than this, in either direction...
const RATIO_MAX: u64 = 4;

/// ...and rarely counts too high, so that less than one token of the provider for this many estimated
/// ones is somebody else's count.
const RATIO_MIN_DIVISOR: u64 = 2;

/// A request that grew by this part of itself more than its messages did holds a running total.
const SLACK_PART: u64 = 4;

/// Tokens of a provider over estimated ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scale {
    provider: u64,
    estimate: u64,
}

impl Default for Scale {
    fn default() -> Self {
        Self::ONE
    }
}

impl Scale {
    /// The estimate is taken as it is: nothing was counted, or there is no provider.
    pub const ONE: Self = Self {
        provider: 1,
        estimate: 1,
    };

    /// What the replies in a view teach: the newest count that can be believed, for it anchors the
    /// request that comes next.
    pub fn learned(view: &View) -> Self {
        let usages = view
            .items
            .iter()
            .rev()
            .filter_map(|item| usage(&item.content));
        let usages = usages.filter_map(Counted::of);
        let mut newer: Option<Counted> = None;
        for counted in usages {
            if let Some(newer) = newer
                && newer.is_believed_after(counted)
            {
                return newer.scale();
            }
            newer = Some(counted);
        }
        newer
            .filter(Counted::is_plausible)
            .map_or(Self::ONE, Counted::scale)
    }

    /// Estimated tokens that a provider counts as no more than `tokens`.
    #[must_use]
    pub fn to_estimate(self, tokens: TokenCount) -> TokenCount {
        let scaled =
            u128::from(tokens.0) * u128::from(self.estimate) / u128::from(self.provider.max(1));
        TokenCount(u64::try_from(scaled).unwrap_or(u64::MAX))
    }

    /// What a provider is expected to count for `estimate` tokens.
    #[must_use]
    pub fn to_provider(self, estimate: TokenCount) -> TokenCount {
        let scaled = u128::from(estimate.0) * u128::from(self.provider);
        let scaled = scaled.div_ceil(u128::from(self.estimate.max(1)));
        TokenCount(u64::try_from(scaled).unwrap_or(u64::MAX))
    }

    /// The settings in estimated tokens, so that all that is decided from them is in one unit.
    #[must_use]
    pub fn settings(self, settings: &Settings) -> Settings {
        Settings {
            context_window: self.to_estimate(settings.context_window),
            reserve_tokens_floor: self.to_estimate(settings.reserve_tokens_floor),
            soft_threshold_tokens: self.to_estimate(settings.soft_threshold_tokens),
            keep_recent_tokens: self.to_estimate(settings.keep_recent_tokens),
            ..settings.clone()
        }
    }
}

fn usage(content: &ViewContent) -> Option<&Usage> {
    match content {
        ViewContent::Message(Message::Assistant(reply)) => reply.usage.as_ref(),
        ViewContent::Message(Message::User { .. } | Message::ToolResult(_))
        | ViewContent::Summary(_) => None,
    }
}

/// One request, as the provider and as the estimator counted it.
#[derive(Debug, Clone, Copy)]
struct Counted {
    provider: u64,
    estimate: u64,
}

impl Counted {
    /// `None` where either did not count: a file of another program, a provider that says nothing.
    fn of(usage: &Usage) -> Option<Self> {
        let provider = usage.request().0;
        let estimate = usage.estimate?.0;
        (provider > 0 && estimate > 0).then_some(Self { provider, estimate })
    }

    fn is_plausible(&self) -> bool {
        let most = self.estimate.saturating_mul(RATIO_MAX);
        let least = self.estimate.div_ceil(RATIO_MIN_DIVISOR);
        (least..=most).contains(&self.provider)
    }

    /// Whether this may be believed, where `before` is what was counted for the request before it: a
    /// running total grows by a whole request though only a message was added.
    fn is_believed_after(&self, before: Self) -> bool {
        let grown = self.provider.saturating_sub(before.provider);
        let added = self.estimate.saturating_sub(before.estimate);
        let most = added
            .saturating_mul(RATIO_MAX)
            .saturating_add(self.estimate / SLACK_PART);
        self.is_plausible() && grown <= most
    }

    fn scale(self) -> Scale {
        Scale {
            provider: self.provider,
            estimate: self.estimate,
        }
    }
}

#[cfg(test)]
#[path = "usage_tests.rs"]
mod tests;
