//! The calendar day of an instant, in the owner's time zone.
//!
//! The only module that turns an instant into a date.

use std::fmt;
use std::str::FromStr;

use chrono::{Datelike as _, NaiveDate, NaiveTime, TimeDelta};
use serde::{Deserialize, Serialize};

use crate::Timestamp;
use crate::timezone::Tz;

/// A calendar day in the owner's time zone, written `YYYY-MM-DD`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Day(NaiveDate);

crate::text_schema! { Day { "type": "string", "format": "date" } }

/// The day on which `at` falls in `timezone`.
///
/// ```
/// let at = "2026-03-01T03:30:00Z".parse().unwrap();
/// assert_eq!(base::day(at, base::Tz::named("America/New_York").unwrap()).to_string(), "2026-02-28");
/// ```
pub fn day(at: Timestamp, timezone: Tz) -> Day {
    Day(at.with_timezone(&timezone).date_naive())
}

/// The time of day at `at` in `timezone`, as `HH:MM`.
pub fn time_of_day(at: Timestamp, timezone: Tz) -> String {
    at.with_timezone(&timezone).format("%H:%M").to_string()
}

impl Day {
    /// The weekday, from 0 for Monday.
    pub fn weekday(self) -> u32 {
        self.date().weekday().num_days_from_monday()
    }

    /// The previous day; the earliest representable day returns itself.
    #[must_use]
    pub fn previous(self) -> Self {
        Self(self.0.pred_opt().unwrap_or(self.0))
    }

    /// Noon of the day, for an event whose day is known but not its time.
    pub fn noon(self, timezone: Tz) -> Timestamp {
        let midnight = self.0.and_time(NaiveTime::MIN);
        let noon = midnight
            .checked_add_signed(TimeDelta::hours(12))
            .unwrap_or(midnight);
        // Noon may not exist: Pacific islands that crossed the date line skipped whole days.
        let local = noon.and_local_timezone(timezone).earliest();
        local.map_or_else(|| noon.and_utc(), |at| at.to_utc())
    }

    /// The last millisecond of the day.
    pub fn end(self, timezone: Tz) -> Timestamp {
        let noon = self.noon(Tz::UTC);
        // Wider than any zone is away from UTC; the day changes once in between.
        let (mut last, mut next) = (noon - TimeDelta::days(2), noon + TimeDelta::days(2));
        while next - last > TimeDelta::milliseconds(1) {
            let middle = last + TimeDelta::milliseconds((next - last).num_milliseconds() / 2);
            if day(middle, timezone) <= self {
                last = middle;
            } else {
                next = middle;
            }
        }
        last
    }

    /// The day as a date of `chrono`.
    pub fn date(self) -> NaiveDate {
        self.0
    }
}

impl From<NaiveDate> for Day {
    /// The date must already be in the owner's time zone.
    fn from(date: NaiveDate) -> Self {
        Self(date)
    }
}

impl From<Day> for String {
    fn from(day: Day) -> Self {
        day.to_string()
    }
}

impl TryFrom<String> for Day {
    type Error = ParseDayError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl fmt::Display for Day {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.0.format("%Y-%m-%d"))
    }
}

/// The error for a text that is not a day.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a day; write it as YYYY-MM-DD")]
pub struct ParseDayError {
    text: String,
}

impl FromStr for Day {
    type Err = ParseDayError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || ParseDayError {
            text: text.to_owned(),
        };
        let parsed = NaiveDate::parse_from_str(text, "%Y-%m-%d").map_err(|_| error())?;
        let day = Self(parsed);
        // chrono also accepts `2026-4-1`, which is never the name of a daily log.
        let written = Some(day).filter(|day| day.to_string() == text);
        written.ok_or_else(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn i12_day_and_time_follow_zone_and_daylight_saving() {
        for (at, zone, expected) in [
            ("2026-12-31T23:30", "UTC", "2026-12-31 23:30"),
            ("2026-12-31T23:30", "Asia/Tokyo", "2027-01-01 08:30"),
            (
                "2026-12-31T02:30",
                "America/Los_Angeles",
                "2026-12-30 18:30",
            ),
            ("2026-03-28T23:30", "Europe/Berlin", "2026-03-29 00:30"),
            ("2026-03-29T21:59", "Europe/Berlin", "2026-03-29 23:59"),
            ("2026-03-29T22:00", "Europe/Berlin", "2026-03-30 00:00"),
        ] {
            let (at, zone) = (
                format!("{at}:00Z").parse().unwrap(),
                Tz::named(zone).unwrap(),
            );
            assert_eq!(
                format!("{} {}", day(at, zone), time_of_day(at, zone)),
                expected
            );
        }
    }

    #[test]
    fn i12_noon_of_day_falls_on_that_day() {
        for zone in ["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"] {
            let timezone = Tz::named(zone).unwrap();
            let given: Day = "2026-03-29".parse().unwrap();
            assert_eq!(day(given.noon(timezone), timezone), given, "{timezone}");
        }
    }

    #[test]
    fn i12_end_of_day_is_last_millisecond_before_next_day() {
        for (of, zone, expected) in [
            ("2026-04-20", "UTC", "2026-04-20T23:59:59.999Z"),
            ("2026-04-20", "Asia/Tokyo", "2026-04-20T14:59:59.999Z"),
            ("2026-03-29", "Europe/Berlin", "2026-03-29T21:59:59.999Z"),
            (
                "2026-04-20",
                "Pacific/Kiritimati",
                "2026-04-20T09:59:59.999Z",
            ),
            (
                "2026-04-20",
                "Pacific/Pago_Pago",
                "2026-04-21T10:59:59.999Z",
            ),
            // Midnight does not exist on the next day.
            ("2026-09-05", "America/Santiago", "2026-09-06T03:59:59.999Z"),
        ] {
            let (of, zone): (Day, _) = (of.parse().unwrap(), Tz::named(zone).unwrap());
            let expected: Timestamp = expected.parse().unwrap();
            assert_eq!(of.end(zone), expected, "{of} {zone}");
        }
    }

    #[test]
    fn day_parses_only_its_written_form() {
        let read = |text: &str| text.parse::<Day>().map(|day| day.to_string());
        assert_eq!(read("2026-04-01").as_deref(), Ok("2026-04-01"));
        for text in ["2026-4-1", "2026-02-30", "today", ""] {
            assert_eq!(read(text), Err(ParseDayError { text: text.into() }));
        }
    }
}
