//! Reads a moment that has passed: an instant, a minute of a day, or days such as "yesterday".
//!
//! Never returns a moment in the future.

use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};

use super::read::{named_span, outside_days};
use crate::{Day, Timestamp, Tz, day};

/// Why a text names no moment that has passed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MomentError {
    /// The text is not a time, or not only a time.
    #[error("{0:?} is not a time")]
    Unread(String),
    /// The clocks of the time zone skipped this time.
    #[error("{0:?} did not exist: the clocks were put forward")]
    Skipped(String),
    /// The time has not come yet.
    #[error("{0:?} is in the future")]
    Ahead(String),
}

/// The moment that a text names, seen from `now`. A day, a week, a month or a minute counts to its end, but never
/// beyond `now`.
///
/// # Errors
///
/// [`MomentError`], also if the text says anything else.
///
/// # Examples
///
/// ```
/// let (now, zone) = ("2026-05-20T10:00:00Z".parse().unwrap(), base::Tz::UTC);
/// let moment = base::dates::past_moment("yesterday", now, zone).unwrap();
/// assert_eq!(moment.to_rfc3339(), "2026-05-19T23:59:59.999+00:00");
/// ```
pub fn past_moment(text: &str, now: Timestamp, timezone: Tz) -> Result<Timestamp, MomentError> {
    let asked = text.trim();
    let (first, last) = named(asked, day(now, timezone), timezone)?;
    if first > now {
        return Err(MomentError::Ahead(asked.to_owned()));
    }
    Ok(last.min(now))
}

/// The first and the last millisecond of what a text names.
fn named(asked: &str, today: Day, timezone: Tz) -> Result<(Timestamp, Timestamp), MomentError> {
    let unread = || MomentError::Unread(asked.to_owned());
    if let Ok(at) = DateTime::parse_from_rfc3339(&asked.replacen(' ', "T", 1)) {
        let at = at.with_timezone(&Utc);
        return Ok((at, at));
    }
    let days = |first: Day, last: Day| {
        let begins = first.previous().end(timezone) + TimeDelta::milliseconds(1);
        (begins, last.end(timezone))
    };
    if let Ok(own) = asked.parse::<Day>() {
        return Ok(days(own, own));
    }
    for (format, length) in [("%Y-%m-%dT%H:%M", 60_000), ("%Y-%m-%dT%H:%M:%S", 1_000)] {
        let local = NaiveDateTime::parse_from_str(&asked.replacen(' ', "T", 1), format);
        let Ok(local) = local else {
            continue;
        };
        // A time that the clocks showed twice is the later one: more was known then.
        let at = local.and_local_timezone(timezone).latest();
        let at = at.ok_or_else(|| MomentError::Skipped(asked.to_owned()))?;
        let at = at.with_timezone(&Utc);
        return Ok((at, at + TimeDelta::milliseconds(length - 1)));
    }
    let span = named_span(asked, today).ok_or_else(unread)?;
    let rest = outside_days(asked, today);
    if rest.chars().any(char::is_alphanumeric) {
        return Err(unread());
    }
    Ok(days(span.first, span.last))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, zone: &str) -> Result<String, MomentError> {
        let now = "2026-05-20T10:00:00Z".parse().unwrap();
        let moment = past_moment(text, now, Tz::named(zone).unwrap());
        moment.map(|at| at.to_rfc3339_opts(chrono::SecondsFormat::Millis, true))
    }

    #[test]
    fn past_moment_is_end_of_day_or_minute_and_never_in_future() {
        for (text, zone, expected) in [
            ("2026-04-20", "UTC", "2026-04-20T23:59:59.999Z"),
            ("2026-04-20", "America/New_York", "2026-04-21T03:59:59.999Z"),
            ("2026-04-20", "Asia/Tokyo", "2026-04-20T14:59:59.999Z"),
            (
                "2026-04-20 14:30",
                "Europe/Berlin",
                "2026-04-20T12:30:59.999Z",
            ),
            (
                "2026-04-20T14:30:05",
                "Europe/Berlin",
                "2026-04-20T12:30:05.999Z",
            ),
            (
                "2026-04-20T14:30:00+02:00",
                "UTC",
                "2026-04-20T12:30:00.000Z",
            ),
            (
                "2026-04-20 14:30:00Z",
                "Asia/Tokyo",
                "2026-04-20T14:30:00.000Z",
            ),
            // The clocks showed it twice.
            (
                "2025-10-26 02:30",
                "Europe/Berlin",
                "2025-10-26T01:30:59.999Z",
            ),
            ("yesterday", "UTC", "2026-05-19T23:59:59.999Z"),
            ("gestern", "UTC", "2026-05-19T23:59:59.999Z"),
            ("last week", "UTC", "2026-05-17T23:59:59.999Z"),
            ("April 2026", "UTC", "2026-04-30T23:59:59.999Z"),
            ("today", "UTC", "2026-05-20T10:00:00.000Z"),
            ("2026-05-20", "UTC", "2026-05-20T10:00:00.000Z"),
        ] {
            assert_eq!(read(text, zone).as_deref(), Ok(expected), "{text} {zone}");
        }
    }

    #[test]
    fn text_without_past_moment_is_rejected() {
        let unread = |text: &str| MomentError::Unread(text.to_owned());
        for text in [
            "",
            "soon",
            "2026-13-01",
            "yesterday at the sea",
            "12",
            "2026-04-20 25:00",
        ] {
            assert_eq!(read(text, "UTC"), Err(unread(text)));
        }
        for text in [
            "2026-05-21",
            "tomorrow",
            "2026-05-20T10:00:01Z",
            "2026-05-20 12:30",
        ] {
            let found = read(text, "UTC");
            assert!(
                matches!(&found, Err(MomentError::Ahead(own)) if own == text),
                "{found:?}"
            );
        }
        let skipped = read("2026-03-29 02:30", "Europe/Berlin");
        assert_eq!(
            skipped,
            Err(MomentError::Skipped("2026-03-29 02:30".to_owned()))
        );
    }
}
