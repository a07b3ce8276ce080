//! The owner's settings for dreams, without defaults.

use std::str::FromStr;
use std::time::Duration;

use base::{Timestamp, TokenCount, Tz};
use croner::Cron;
use croner::parser::{CronParser, Seconds, Year};

/// The owner's settings for dreams.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DreamSettings {
    /// What starts a dream automatically.
    pub triggers: Vec<Trigger>,
    /// Number of days that a dream reads back.
    pub lookback_days: u32,
    /// What happens to a candidate that passes all gates.
    pub promotion: Promotion,
    /// Daily token budget of dreams; the offline engine spends none.
    pub daily_tokens: TokenCount,
    /// Maximum number of waiting candidates that come from what was said on one day.
    pub review_per_day: usize,
    /// Maximum number of candidates that wait.
    pub review_waiting: usize,
}

/// What starts a dream automatically.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trigger {
    /// A cron schedule.
    Schedule(Box<Schedule>),
    /// A session without messages for this long.
    SessionIdle(Duration),
    /// Each multiple of this many bytes that today's log reaches.
    DailyLogSize(u64),
}

impl Trigger {
    /// The key under which its last firing is stored.
    pub fn name(&self) -> String {
        match self {
            Self::Schedule(schedule) => format!("schedule {}", schedule.pattern),
            Self::SessionIdle(_) => "session_idle".to_owned(),
            Self::DailyLogSize(_) => "daily_log_size".to_owned(),
        }
    }
}

/// A cron schedule of five fields: minute, hour, day of the month, month, day of the week.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    pattern: String,
    cron: Cron,
}

impl FromStr for Schedule {
    type Err = String;

    fn from_str(pattern: &str) -> Result<Self, Self::Err> {
        let parser = CronParser::builder()
            .seconds(Seconds::Disallowed)
            .year(Year::Disallowed)
            .build();
        let cron = parser.parse(pattern).map_err(|error| {
            format!("{pattern:?} is not a schedule of five fields, such as \"0 3 * * *\" for 3 a.m.: {error}")
        })?;
        Ok(Self {
            pattern: pattern.to_owned(),
            cron,
        })
    }
}

impl Schedule {
    /// The first time after `after` in the owner's time zone; `None` if there is none.
    pub fn next_after(&self, after: Timestamp, timezone: Tz) -> Option<Timestamp> {
        let local = after.with_timezone(&timezone);
        let next = self.cron.find_next_occurrence(&local, false).ok()?;
        Some(next.to_utc())
    }

    /// The schedule as written.
    pub fn as_str(&self) -> &str {
        &self.pattern
    }
}

/// What happens to a candidate that passes all gates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Promotion {
    /// Promote it if the owner stated it; stage it otherwise.
    Gated,
    /// Stage it, like all others.
    Review,
    /// Promote it if the owner or the assistant stated it.
    Auto,
}
