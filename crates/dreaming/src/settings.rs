//! What the owner set about dreams.
//!
//! Holds no default.

use std::str::FromStr;
use std::time::Duration;

use base::{Timestamp, TokenCount, Tz};
use croner::Cron;
use croner::parser::{CronParser, Seconds, Year};

/// What the owner set about dreams.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// When dreams begin by themselves.
    pub triggers: Vec<Trigger>,
    /// How many days back a dream reads.
    pub lookback_days: u32,
    /// What becomes of a candidate that passes all gates.
    pub promotion: Promotion,
    /// The most tokens that dreams may spend on a day; the offline engine spends none.
    pub daily_tokens: TokenCount,
}

/// When a dream begins by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trigger {
    /// At certain times.
    Schedule(Box<Schedule>),
    /// When nobody has spoken in a session for so long.
    SessionIdle(Duration),
    /// When the log of today has reached so many bytes, and each time it has grown by as many again.
    DailyLogSize(u64),
}

impl Trigger {
    /// The name under which it is remembered when it last fired.
    pub fn name(&self) -> String {
        match self {
            Self::Schedule(schedule) => format!("schedule {}", schedule.pattern),
            Self::SessionIdle(_) => "session_idle".to_owned(),
            Self::DailyLogSize(_) => "daily_log_size".to_owned(),
        }
    }
}

/// Times, written as five fields: minute, hour, day of the month, month, day of the week.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    pattern: String,
    cron: Cron,
}

/// A text that is no schedule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{pattern:?} is no schedule of five fields, such as \"0 3 * * *\" for three at night: {reason}"
)]
pub struct ScheduleError {
    pattern: String,
    reason: String,
}

impl FromStr for Schedule {
    type Err = ScheduleError;

    fn from_str(pattern: &str) -> Result<Self, Self::Err> {
        let parser = CronParser::builder()
            .seconds(Seconds::Disallowed)
            .year(Year::Disallowed)
            .build();
        let cron = parser.parse(pattern).map_err(|error| ScheduleError {
            pattern: pattern.to_owned(),
            reason: error.to_string(),
        })?;
        Ok(Self {
            pattern: pattern.to_owned(),
            cron,
        })
    }
}

impl Schedule {
    /// The first time after `after` on the owner's clock; `None` where there is none any more.
    pub fn next_after(&self, after: Timestamp, timezone: Tz) -> Option<Timestamp> {
        let local = after.with_timezone(&timezone);
        let next = self.cron.find_next_occurrence(&local, false).ok()?;
        Some(next.to_utc())
    }

    /// As it was written.
    pub fn as_str(&self) -> &str {
        &self.pattern
    }
}

/// What becomes of a candidate that passes all gates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Promotion {
    /// It is promoted where the owner stated it; the rest waits.
    Gated,
    /// It waits, like all others.
    Review,
    /// It is promoted, whoever of the owner and the assistant said it.
    Auto,
}
