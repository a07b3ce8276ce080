//! Token counts, and the usage that a provider reports for one call.
//!
//! Counts nothing itself; `estimate` does.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A number of tokens, estimated or reported.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Default,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[schemars(inline)]
pub struct TokenCount(pub u64);

impl TokenCount {
    /// No tokens.
    pub const ZERO: Self = Self(0);

    /// The difference to `other`, never below zero.
    #[must_use]
    pub fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// `percent` percent of this number, rounded down.
    #[must_use]
    pub fn percent(self, percent: u64) -> Self {
        let scaled = u128::from(self.0) * u128::from(percent) / 100;
        Self(u64::try_from(scaled).unwrap_or(u64::MAX))
    }

    /// The approximate number of ASCII characters in this many tokens.
    pub fn to_chars(self) -> usize {
        usize::try_from(self.0.saturating_mul(QUARTERS_PER_TOKEN)).unwrap_or(usize::MAX)
    }
}

impl Add for TokenCount {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for TokenCount {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for TokenCount {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        counts.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for TokenCount {
    /// Formats the number with commas between thousands, as in `176,000`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
        for (position, digit) in digits.chars().enumerate() {
            if position > 0 && (digits.len() - position).is_multiple_of(3) {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        formatter.pad(&grouped)
    }
}

/// A provider's token counts for one call; never a running total.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Usage {
    /// Tokens of the request, without cached ones.
    pub input: TokenCount,
    /// Tokens of the reply.
    pub output: TokenCount,
    /// Tokens of the request read from a cache.
    pub cache_read: TokenCount,
    /// Tokens of the request written to a cache.
    pub cache_write: TokenCount,
    /// The estimated tokens of the request, computed before it was sent; `None` if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<TokenCount>,
}

impl Usage {
    /// Tokens of the whole request, including cached ones.
    pub fn request(&self) -> TokenCount {
        self.input + self.cache_read + self.cache_write
    }
}

/// A token is four ASCII characters, by the usual rule for English text and code.
pub(crate) const QUARTERS_PER_TOKEN: u64 = 4;
