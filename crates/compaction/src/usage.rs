//! Learns the ratio of a provider's tokens to estimated tokens from the usage that the provider reports.
//!
//! Ignores implausible counts.

use base::{Message, TokenCount, Usage};
use session::{View, ViewItem};

use crate::settings::WindowSettings;

/// A provider's count is at most this many times the estimate...
const RATIO_MAX: u64 = 4;

/// ...and at least the estimate divided by this. The estimator rarely counts too high, so a lower count belongs to
/// another request.
const RATIO_MIN_DIVISOR: u64 = 2;

/// Two consecutive ratios confirm each other if they differ by at most one sixteenth. A running total grows faster,
/// even while its size is plausible.
const AGREED_PART: u64 = 16;

/// Added text may be in another script and count for up to this many times the expected tokens...
const GROWTH_FACTOR: u64 = 2;

/// ...plus one fourth of the request as slack. A count that grew by more is a running total.
const SLACK_PART: u64 = 4;

/// The ratio of a provider's tokens to estimated tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scale {
    provider: u64,
    estimate: u64,
}

impl Scale {
    /// The scale without any conversion, for when there is no count or no provider.
    pub const ONE: Self = Self {
        provider: 1,
        estimate: 1,
    };

    /// Learns the ratio from the replies in a view. Uses the newest credible count, because the next request
    /// resembles that request most.
    pub fn learned(view: &View) -> Self {
        let usages = view.items.iter().filter_map(usage);
        let counts = usages.filter_map(Self::of).filter(Self::is_plausible);
        let newest_first = || counts.clone().rev();
        let believed = match (newest_first().next(), newest_first().nth(1)) {
            (Some(newest), Some(before)) if newest.agrees_with(before) => Some(newest),
            // In a series of running totals only the first is a true count; the later ones fail `follows`.
            _ => counts.reduce(|believed, next| {
                if next.follows(believed) {
                    next
                } else {
                    believed
                }
            }),
        };
        believed.unwrap_or(Self::ONE)
    }

    /// The largest number of estimated tokens that a provider counts as at most `tokens`.
    #[must_use]
    pub fn to_estimate(self, tokens: TokenCount) -> TokenCount {
        let scaled = u128::from(tokens.0) * u128::from(self.estimate);
        let scaled = scaled / u128::from(self.provider.max(1));
        TokenCount(u64::try_from(scaled).unwrap_or(u64::MAX))
    }

    /// The number of tokens that a provider is expected to count for `estimate` tokens.
    #[must_use]
    pub fn to_provider(self, estimate: TokenCount) -> TokenCount {
        let scaled = u128::from(estimate.0) * u128::from(self.provider);
        let scaled = scaled.div_ceil(u128::from(self.estimate.max(1)));
        TokenCount(u64::try_from(scaled).unwrap_or(u64::MAX))
    }

    /// Converts settings to estimated tokens, so that all decisions use one unit.
    #[must_use]
    pub fn settings(self, settings: &WindowSettings) -> WindowSettings {
        WindowSettings {
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

fn usage(item: &ViewItem) -> Option<&Usage> {
    let Message::Assistant(reply) = item.message()? else {
        return None;
    };
    reply.usage.as_ref()
}

/// A scale is stored as the two counts of one request.
impl Scale {
    /// `None` unless both counts exist: a file of another program lacks them, and some providers report no usage.
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

    /// Whether both counts imply nearly the same ratio.
    fn agrees_with(self, other: Self) -> bool {
        let here = u128::from(self.provider) * u128::from(other.estimate);
        let there = u128::from(other.provider) * u128::from(self.estimate);
        here.abs_diff(there) * u128::from(AGREED_PART) <= there
    }

    /// Whether this can be the count of a request after `before`. A running total grows by a whole request even if
    /// only messages were added.
    fn follows(self, before: Self) -> bool {
        let grown = self.provider.saturating_sub(before.provider);
        let added = TokenCount(self.estimate.saturating_sub(before.estimate));
        let most = before.to_provider(added).0;
        let most = most.saturating_mul(GROWTH_FACTOR);
        grown <= most.saturating_add(self.estimate / SLACK_PART)
    }
}

#[cfg(test)]
#[path = "usage_tests.rs"]
mod tests;
