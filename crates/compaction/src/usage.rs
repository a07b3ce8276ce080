//! What a provider's tokens are in estimated ones, learned from what it counted for our requests.
//!
//! Never believes a number that the request cannot have had.

use base::{Message, TokenCount, Usage};
use session::{View, ViewContent};

use crate::settings::Settings;

/// The estimator is never off by more than this, in either direction...
const RATIO_MAX: u64 = 4;

/// ...and rarely counts too high, so that less than one token of the provider for this many estimated
/// ones is somebody else's count.
const RATIO_MIN_DIVISOR: u64 = 2;

/// Two counts in a row that differ by no more than this part of themselves say the same of the provider: a
/// running total of plausible size still grows faster.
const AGREED_PART: u64 = 16;

/// What a request has more than an earlier one may be of another script, and count so many times as much...
const GROWTH_FACTOR: u64 = 2;

/// ...with this part of the request to spare; one that grew by more holds a running total.
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
        let usages = view.items.iter().filter_map(|item| usage(&item.content));
        let counts = usages
            .filter_map(CountedRequest::of)
            .filter(CountedRequest::is_plausible);
        let newest_first = || counts.clone().rev();
        let believed = match (newest_first().next(), newest_first().nth(1)) {
            (Some(newest), Some(before)) if newest.agrees_with(before) => Some(newest),
            // The first of running totals is a count, and nothing after it follows from it.
            _ => counts.reduce(|believed, next| {
                if next.follows(believed) {
                    next
                } else {
                    believed
                }
            }),
        };
        believed.map_or(Self::ONE, CountedRequest::scale)
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
            reserve_tokens_floor: settings.reserve_tokens_floor.map(|it| self.to_estimate(it)),
            soft_threshold_tokens: settings
                .soft_threshold_tokens
                .map(|it| self.to_estimate(it)),
            keep_recent_tokens: self.to_estimate(settings.keep_recent_tokens),
            strategy: settings.strategy.scaled(|tokens| self.to_estimate(tokens)),
            ..settings.clone()
        }
    }
}

fn usage(content: &ViewContent) -> Option<&Usage> {
    let ViewContent::Message(Message::Assistant(reply)) = content else {
        return None;
    };
    reply.usage.as_ref()
}

#[derive(Debug, Clone, Copy)]
struct CountedRequest {
    provider: u64,
    estimate: u64,
}

impl CountedRequest {
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

    /// Whether both say the same of the provider.
    fn agrees_with(self, other: Self) -> bool {
        let here = u128::from(self.provider) * u128::from(other.estimate);
        let there = u128::from(other.provider) * u128::from(self.estimate);
        here.abs_diff(there) * u128::from(AGREED_PART) <= there
    }

    /// Whether this may be the count of a request after the one of `before`: a running total grows by a
    /// whole request though only messages were added.
    fn follows(self, before: Self) -> bool {
        let grown = self.provider.saturating_sub(before.provider);
        let added = TokenCount(self.estimate.saturating_sub(before.estimate));
        let most = before.scale().to_provider(added).0;
        let most = most.saturating_mul(GROWTH_FACTOR);
        grown <= most.saturating_add(self.estimate / SLACK_PART)
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
