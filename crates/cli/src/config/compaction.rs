//! The settings of compaction and its strategies.
//!
//! Defaults are in `config/default.yaml`.

use std::fmt;

use base::TokenCount;
use compaction::{Middle, Permille, Replace, Strategy, Tiered};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::{Deserializer, Error as _};
use serde_json::Value;

use super::limited::{
    Limited, ROUNDS_MAX, SECONDS_MAX, TOKENS_MAX, WINDOW_MAX, inline_schema, refused, seen,
};

/// The largest number of messages in a setting.
const MESSAGES_MAX: u64 = 1_000_000;

/// The largest number of characters in a setting.
const CHARS_MAX: u64 = 100_000_000;

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CompactionSettings {
    #[schemars(extend("x-workspace" = true))]
    pub context_window: Limited<1, WINDOW_MAX>,
    #[schemars(extend("x-workspace" = true))]
    pub reserve_tokens_floor: Limited<0, TOKENS_MAX>,
    #[schemars(extend("x-workspace" = true))]
    pub soft_threshold_tokens: Limited<0, TOKENS_MAX>,
    #[schemars(extend("x-workspace" = true))]
    pub keep_recent_tokens: Limited<1, TOKENS_MAX>,
    #[schemars(extend("x-workspace" = true))]
    pub prune_after_rounds: Limited<1, ROUNDS_MAX>,
    #[schemars(extend("x-workspace" = true))]
    pub prune_allow: Vec<String>,
    #[schemars(extend("x-workspace" = true))]
    pub prune_deny: Vec<String>,
    #[schemars(extend("x-workspace" = true))]
    pub execution: Execution,
    #[schemars(extend("x-workspace" = true))]
    pub deadline_seconds: Limited<1, SECONDS_MAX>,
    #[schemars(extend("x-workspace" = true))]
    pub context_warnings: bool,
    #[schemars(extend("x-workspace" = true))]
    pub strategy: StrategySetting,
    /// Settings of the strategy replace.
    pub replace: ReplaceSettings,
    /// Settings of the strategy tiered.
    pub tiered: TieredSettings,
    /// Settings of the strategy middle.
    pub middle: MiddleSettings,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Execution {
    /// The chat continues while the reserve has room.
    Background,
    /// The chat waits.
    Inline,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum StrategySetting {
    /// Replace older messages with a summary and keep the newest.
    Handoff,
    /// Replace all messages with a summary and the last request.
    Replace,
    /// Summarise the oldest part at three sizes.
    Tiered,
    /// Summarise the messages between the first user message and the newest ones.
    Middle,
    /// Never summarise.
    None,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReplaceSettings {
    #[schemars(extend("x-workspace" = true))]
    pub threshold: Threshold,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TieredSettings {
    #[schemars(extend("x-workspace" = true))]
    pub context_window: Limited<1, WINDOW_MAX>,
    #[schemars(extend("x-workspace" = true))]
    pub background_threshold: Fraction,
    #[schemars(extend("x-workspace" = true))]
    pub aggressive_threshold: Fraction,
    #[schemars(extend("x-workspace" = true))]
    pub emergency_threshold: Fraction,
}

/// A fraction up to 1, stored in thousandths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fraction(u64);

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MiddleSettings {
    #[schemars(extend("x-workspace" = true))]
    pub threshold_tokens: Limited<1, TOKENS_MAX>,
    #[schemars(extend("x-workspace" = true))]
    pub protected_tail_messages: Limited<1, MESSAGES_MAX>,
    #[schemars(extend("x-workspace" = true))]
    pub max_conversation_messages: Limited<1, MESSAGES_MAX>,
    #[schemars(extend("x-workspace" = true))]
    pub max_tool_result_chars: Limited<2_000, CHARS_MAX>,
}

/// A size in tokens; `None` if the setting is 0 or negative, which turns it off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Threshold(Option<u64>);

impl CompactionSettings {
    /// The chosen strategy with its settings.
    pub fn to_strategy(&self) -> Strategy {
        match self.strategy {
            StrategySetting::Handoff => Strategy::Handoff,
            StrategySetting::Replace => Strategy::Replace(Replace {
                threshold: self.replace.threshold.0.map(TokenCount),
            }),
            StrategySetting::Tiered => Strategy::Tiered(Tiered {
                background: Permille(self.tiered.background_threshold.0),
                aggressive: Permille(self.tiered.aggressive_threshold.0),
                emergency: Permille(self.tiered.emergency_threshold.0),
            }),
            StrategySetting::Middle => {
                let middle = &self.middle;
                let count = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
                Strategy::Middle(Middle {
                    threshold: TokenCount(middle.threshold_tokens.get()),
                    protected_tail: count(middle.protected_tail_messages.get()),
                    messages_max: count(middle.max_conversation_messages.get()),
                    result_chars_max: count(middle.max_tool_result_chars.get()),
                })
            }
            StrategySetting::None => Strategy::Off,
        }
    }

    /// The window that the strategy works in, given the model's window.
    pub fn window_of_strategy(&self, window: TokenCount) -> TokenCount {
        match self.strategy {
            StrategySetting::Tiered => window.min(TokenCount(self.tiered.context_window.get())),
            StrategySetting::Handoff
            | StrategySetting::Replace
            | StrategySetting::Middle
            | StrategySetting::None => window,
        }
    }

    /// The error message for the strategy `tiered` if its thresholds are not in ascending order.
    pub(super) fn problem_of_tiers(&self) -> Option<String> {
        let TieredSettings {
            background_threshold: background,
            aggressive_threshold: aggressive,
            emergency_threshold: emergency,
            ..
        } = self.tiered;
        let is_ordered = background <= aggressive && aggressive <= emergency;
        let counts = self.strategy == StrategySetting::Tiered;
        (counts && !is_ordered).then(|| {
            format!(
                "expected thresholds that do not decrease, found {background} for background, \
                 {aggressive} for aggressive and {emergency} for emergency"
            )
        })
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{:03}", self.0 / 1_000, self.0 % 1_000)
    }
}

impl<'de> Deserialize<'de> for Fraction {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let expected = &"a number above 0 and up to 1, such as 0.8";
        let found = Value::deserialize(deserializer)?;
        let Some(number) = found.as_f64() else {
            return Err(D::Error::invalid_type(seen(&found), expected));
        };
        // Finds the nearest thousandth by comparing floats, which avoids a cast from float to integer.
        let nearest =
            (1..=1_000_u32).find(|part| (f64::from(*part) - number * 1_000.0).abs() <= 0.5);
        match nearest {
            Some(part) if number <= 1.0 => Ok(Self(u64::from(part))),
            Some(_) | None => Err(D::Error::invalid_value(seen(&found), expected)),
        }
    }
}

inline_schema!(Fraction, { "type": "number", "exclusiveMinimum": 0, "maximum": 1 });

impl<'de> Deserialize<'de> for Threshold {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let found = Value::deserialize(deserializer)?;
        match (found.as_u64(), found.as_i64()) {
            (Some(number @ 1..=TOKENS_MAX), _) => Ok(Self(Some(number))),
            (_, Some(..=0)) => Ok(Self(None)),
            _ => {
                let most = TokenCount(TOKENS_MAX);
                let whole = format!("a whole number up to {most}, digits only and unquoted");
                Err(refused(&found, &whole))
            }
        }
    }
}

inline_schema!(Threshold, { "type": "integer", "maximum": TOKENS_MAX });
