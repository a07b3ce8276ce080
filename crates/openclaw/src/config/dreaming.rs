//! The settings of dreams, as the configuration file names them.
//!
//! Holds no default: those stand in `config/default.yaml`.

use std::time::Duration;

use base::TokenCount;
use dreaming::{Promotion, Schedule, Settings, Trigger};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::{self, Deserializer};

use super::limited::{Limited, inline_schema};

/// Most tokens that dreams can be allowed.
const TOKENS_MAX: u64 = 1_000_000_000;

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(inline)]
pub(crate) struct DreamingSettings {
    /// When dreams begin by themselves while a chat waits or the service runs, and when `openclaw dream`
    /// finds one due. `schedule` has five fields: minute, hour, day of the month, month, day of the week,
    /// on the owner's clock. `session_idle` fires once when nobody has spoken in a session for so long.
    /// `daily_log_size` fires when the log of today has reached so many kilobytes of 1,024 bytes, and each
    /// time it has grown by as many again. An empty list leaves it to `openclaw dream --now`.
    pub(crate) triggers: Vec<TriggerSetting>,
    /// How many days back a dream reads logs; days on which the program did not run are caught up.
    #[schemars(extend("x-unit" = "days"))]
    pub(crate) lookback_days: Limited<1, 366>,
    /// What becomes of a candidate that passes all gates: gated promotes what the owner stated and
    /// lets the rest wait in DREAMS.md, review lets everything wait, auto also promotes what only the
    /// assistant said.
    pub(crate) promotion: PromotionSetting,
    /// How many tokens dreams may spend on a day. The offline engine spends none.
    #[schemars(extend("x-unit" = "tokens"))]
    pub(crate) daily_tokens: Limited<0, TOKENS_MAX>,
}

/// When a dream begins by itself.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schemars(inline)]
pub(crate) enum TriggerSetting {
    /// At certain times.
    Schedule {
        /// Five fields, such as 0 3 * * * for three at night.
        cron: CronSetting,
    },
    /// When nobody has spoken for so long.
    SessionIdle {
        /// Minutes.
        idle_minutes: Limited<1, 100_000>,
    },
    /// When the log of today has grown.
    DailyLogSize {
        /// Kilobytes of 1,024 bytes.
        threshold_kb: Limited<1, 1_000_000>,
    },
}

/// A schedule of five fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CronSetting(Box<Schedule>);

impl<'de> Deserialize<'de> for CronSetting {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let schedule = text.parse().map(Box::new);
        schedule.map(Self).map_err(de::Error::custom)
    }
}

inline_schema!(CronSetting, { "type": "string" });

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
pub(crate) enum PromotionSetting {
    /// What the owner stated is promoted.
    Gated,
    /// Everything waits.
    Review,
    /// What the assistant said is promoted, too.
    Auto,
}

impl DreamingSettings {
    /// As the library takes them.
    pub(crate) fn to_library(&self) -> Settings {
        let trigger = |setting: &TriggerSetting| match setting {
            TriggerSetting::Schedule { cron } => Trigger::Schedule(cron.0.clone()),
            TriggerSetting::SessionIdle { idle_minutes } => {
                Trigger::SessionIdle(Duration::from_secs(idle_minutes.get() * 60))
            }
            TriggerSetting::DailyLogSize { threshold_kb } => {
                Trigger::DailyLogSize(threshold_kb.get() * 1024)
            }
        };
        Settings {
            triggers: self.triggers.iter().map(trigger).collect(),
            lookback_days: u32::try_from(self.lookback_days.get()).unwrap_or(u32::MAX),
            promotion: match self.promotion {
                PromotionSetting::Gated => Promotion::Gated,
                PromotionSetting::Review => Promotion::Review,
                PromotionSetting::Auto => Promotion::Auto,
            },
            daily_tokens: TokenCount(self.daily_tokens.get()),
        }
    }
}
