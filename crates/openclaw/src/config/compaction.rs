//! The settings of compaction and its strategies, as the configuration file names them.
//!
//! Holds no default: those stand in `config/default.yaml`.

use std::fmt;

use base::TokenCount;
use compaction::{Middle, Replace, Share, Strategy, Tiered};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::{Deserializer, Error as _};
use serde_json::Value;

use super::limited::{
    Limited, ROUNDS_MAX, SECONDS_MAX, TOKENS_MAX, WINDOW_MAX, inline_schema, refused, seen,
};

/// Most messages that a setting can ask for.
const MESSAGES_MAX: u64 = 1_000_000;

/// Most characters that a setting can ask for.
const CHARS_MAX: u64 = 100_000_000;

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(inline)]
pub(crate) struct CompactionSettings {
    /// How much a request may hold: the context window of the model. Below 32,000 the program warns,
    /// for little of a conversation stays in view.
    #[schemars(extend("x-unit" = "tokens", "x-workspace" = true))]
    pub(crate) context_window: Limited<1, WINDOW_MAX>,
    /// Room that stays free for the reply and for summaries. The default takes at most a quarter of the
    /// window; a value that you set is taken as it is.
    #[schemars(extend("x-unit" = "tokens", "x-workspace" = true))]
    pub(crate) reserve_tokens_floor: Limited<0, TOKENS_MAX>,
    /// How long before the reserve is touched compaction begins, so that notes can be written first. The
    /// default takes at most a sixteenth of the window; a value that you set is taken as it is.
    #[schemars(extend("x-unit" = "tokens", "x-workspace" = true))]
    pub(crate) soft_threshold_tokens: Limited<0, TOKENS_MAX>,
    /// How much of the newest conversation a compaction leaves as it was said. At most 30 % of the
    /// size at which compaction begins is taken.
    #[schemars(extend("x-unit" = "tokens", "x-workspace" = true))]
    pub(crate) keep_recent_tokens: Limited<1, TOKENS_MAX>,
    /// How many replies a tool result stays whole; older ones are shown shortened. The transcript
    /// keeps them whole.
    #[schemars(extend("x-unit" = "replies", "x-workspace" = true))]
    pub(crate) prune_after_rounds: Limited<1, ROUNDS_MAX>,
    /// The tools whose results are shortened for their age; all where none is named. In a name * stands
    /// for any characters, and case does not matter.
    #[schemars(extend("x-workspace" = true))]
    pub(crate) prune_allow: Vec<String>,
    /// The tools whose results are never shortened for their age, whatever is allowed.
    #[schemars(extend("x-workspace" = true))]
    pub(crate) prune_deny: Vec<String>,
    /// Whether notes and summaries are made while the chat goes on (background), or the owner waits for
    /// them (inline).
    #[schemars(extend("x-workspace" = true))]
    pub(crate) execution: Execution,
    /// How long the model may take for notes, and for each reply of a summary. After that they are made offline.
    #[schemars(extend("x-unit" = "seconds", "x-workspace" = true))]
    pub(crate) deadline_seconds: Limited<1, SECONDS_MAX>,
    /// Whether the program warns once when a request has half the size at which compaction begins, and
    /// again after each compaction.
    #[schemars(extend("x-workspace" = true))]
    pub(crate) context_warnings: bool,
    /// What a compaction does with older messages: handoff lets a summary take their place, replace lets
    /// it take the place of all, tiered summarises the oldest part at three sizes, middle what lies between
    /// the first user message and the newest, and none summarises nothing.
    #[schemars(extend("x-workspace" = true))]
    pub(crate) strategy: StrategySetting,
    /// For the strategy replace.
    pub(crate) replace: ReplaceSettings,
    /// For the strategy tiered.
    pub(crate) tiered: TieredSettings,
    /// For the strategy middle.
    pub(crate) middle: MiddleSettings,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
pub(crate) enum Execution {
    /// Nobody, as long as the reserve lasts.
    Background,
    /// The owner.
    Inline,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
pub(crate) enum StrategySetting {
    /// A summary takes their place, the newest stay.
    Handoff,
    /// A summary and the last request take the place of all.
    Replace,
    /// The oldest part is summarised at three sizes.
    Tiered,
    /// What lies between the first user message and the newest is summarised.
    Middle,
    /// Nothing is summarised.
    None,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(inline)]
pub(crate) struct ReplaceSettings {
    /// The size of a request from which on it acts. With 0 or less nothing is summarised. Where the window
    /// is smaller, it acts when a request would not fit.
    #[schemars(extend("x-unit" = "tokens", "x-workspace" = true))]
    pub(crate) threshold: Threshold,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(inline)]
pub(crate) struct TieredSettings {
    /// The window that the shares below are shares of; that of the model where it is smaller.
    #[schemars(extend("x-unit" = "tokens", "x-workspace" = true))]
    pub(crate) context_window: Limited<1, WINDOW_MAX>,
    /// The share of the window from which on the oldest 30 % of the messages are summarised while the chat
    /// goes on.
    #[schemars(extend("x-unit" = "of the window", "x-workspace" = true))]
    pub(crate) background_threshold: Fraction,
    /// The share of the window from which on it is the oldest 50 %.
    #[schemars(extend("x-unit" = "of the window", "x-workspace" = true))]
    pub(crate) aggressive_threshold: Fraction,
    /// The share of the window from which on the oldest 50 % leave at once, and no model is asked.
    #[schemars(extend("x-unit" = "of the window", "x-workspace" = true))]
    pub(crate) emergency_threshold: Fraction,
}

/// A part of one, in thousandths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fraction(u64);

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(inline)]
pub(crate) struct MiddleSettings {
    /// The estimated size of a request above which it acts.
    #[schemars(extend("x-unit" = "tokens", "x-workspace" = true))]
    pub(crate) threshold_tokens: Limited<1, TOKENS_MAX>,
    /// How many of the newest messages are left alone.
    #[schemars(extend("x-unit" = "messages", "x-workspace" = true))]
    pub(crate) protected_tail_messages: Limited<1, MESSAGES_MAX>,
    /// How many of the newest messages stay where no summary can be had.
    #[schemars(extend("x-unit" = "messages", "x-workspace" = true))]
    pub(crate) max_conversation_messages: Limited<1, MESSAGES_MAX>,
    /// How much of a tool result is shown; 30 % of the window where that is less. The transcript keeps it
    /// whole.
    #[schemars(extend("x-unit" = "characters", "x-workspace" = true))]
    pub(crate) max_tool_result_chars: Limited<2_000, CHARS_MAX>,
}

/// A size that 0 or less turns off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Threshold(Option<u64>);

impl CompactionSettings {
    /// The strategy that was chosen, with its settings.
    pub(crate) fn to_strategy(&self) -> Strategy {
        match self.strategy {
            StrategySetting::Handoff => Strategy::Handoff,
            StrategySetting::Replace => Strategy::Replace(Replace {
                threshold: self.replace.threshold.0.map(TokenCount),
            }),
            StrategySetting::Tiered => Strategy::Tiered(Tiered {
                background: Share(self.tiered.background_threshold.0),
                aggressive: Share(self.tiered.aggressive_threshold.0),
                emergency: Share(self.tiered.emergency_threshold.0),
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

    /// The window that the strategy works in, where the model takes `window`.
    pub(crate) fn window_of_strategy(&self, window: TokenCount) -> TokenCount {
        match self.strategy {
            StrategySetting::Tiered => window.min(TokenCount(self.tiered.context_window.get())),
            StrategySetting::Handoff
            | StrategySetting::Replace
            | StrategySetting::Middle
            | StrategySetting::None => window,
        }
    }

    /// What is wrong with the order of the tiers, where they count.
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
        // Counted up: a float is compared, never cut to a whole number.
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
                let whole =
                    format!("a whole number up to {most}, in digits alone and without quotes");
                Err(refused(&found, &whole))
            }
        }
    }
}

inline_schema!(Threshold, { "type": "integer", "maximum": TOKENS_MAX });
