//! The time ahead that a text names: whether it is certain, what else the text says, and which times it may mean.
//!
//! Never guesses: a time that may mean two is unclear.

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime};

use super::due::Reading;
use super::every::Every;
use super::meanings::{DAY, TEXT, TIME, filled};
use super::table::tables;
use super::words::words;
use crate::{Day, Tz};

/// A time before a colon is not longer: it has few words.
const BEFORE_COLON_BYTES_MAX: usize = 120;

/// The time of a reminder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct When {
    /// The day, or the first one of a repetition.
    pub day: Day,
    /// The time of day, if one is named.
    pub time: Option<NaiveTime>,
    /// The repetition.
    pub every: Option<Every>,
}

impl When {
    /// The time as the reader takes it.
    pub fn written(&self) -> String {
        let time = self.time.map(|it| it.format("%H:%M").to_string());
        match (&self.every, time) {
            (Some(every), Some(time)) => format!("{every} at {time}"),
            (Some(every), None) => every.to_string(),
            (None, Some(time)) => format!("{} {time}", self.day),
            (None, None) => self.day.to_string(),
        }
    }
}

/// The time that a text names, and the rest of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeAhead {
    /// The time; `None` if the text names none.
    pub when: Result<Option<When>, Unclear>,
    /// The text without the words of the time.
    pub rest: String,
    /// Whether the text itself names the day, and not only a time of day.
    pub names_day: bool,
    /// If the time is not certain: the times ahead that the text may mean, earliest first, each to be confirmed. They are
    /// written as this reader takes them, with placeholders in capitals for what the text does not name.
    pub readings: Vec<String>,
}

impl TimeAhead {
    /// Writes `text` out once for each of its readings, so that each result names a single time once the owner has
    /// filled in the placeholders. `TEXT` takes the place of a text that is empty. A text whose words would again be
    /// read as a time follows a colon, behind which no time is read.
    pub fn spelled_out(&self, text: &str) -> Vec<String> {
        let times = self.readings_or_placeholder().into_iter();
        times
            .map(|time| {
                let read = time_named(&format!("{} {text}", with_examples(&time)));
                let is_read = matches!(read.when, Ok(Some(_))) && read.rest == text;
                match text {
                    "" => format!("{time} {TEXT}"),
                    text if is_read => format!("{time} {text}"),
                    text => format!("{time}: {text}"),
                }
            })
            .collect()
    }

    /// The same time of day on a day that is not known.
    #[must_use]
    pub fn on_unknown_day(self) -> Self {
        let time = match &self.when {
            Ok(Some(When {
                time: Some(time), ..
            })) => time.format("%H:%M").to_string(),
            Ok(_) | Err(_) => TIME.to_owned(),
        };
        Self {
            when: Err(Unclear::NoDay),
            readings: vec![format!("{DAY} {time}")],
            ..self
        }
    }

    /// The time if it is certain, or else the readings; if there are none, a placeholder for a time.
    pub fn readings_or_placeholder(&self) -> Vec<String> {
        if let Ok(Some(when)) = &self.when {
            return vec![when.written()];
        }
        if self.readings.is_empty() {
            vec![format!("{DAY} {TIME}")]
        } else {
            self.readings.clone()
        }
    }

    /// The readings without a placeholder.
    pub fn whole_readings(&self) -> Vec<&str> {
        let readings = self.readings.iter().map(String::as_str);
        readings.filter(|it| with_examples(it) == **it).collect()
    }
}

/// A time with an example for each placeholder.
fn with_examples(time: &str) -> String {
    let day = NaiveDate::from_ymd_opt(2000, 1, 1).unwrap_or_default();
    filled(time, day.into())
}

/// Why a time is not certain.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unclear {
    /// Several days.
    #[error("it names several days")]
    SeveralDays,
    /// Several times of day.
    #[error("it names several times of day")]
    SeveralTimes,
    /// An hour of either half of the day.
    #[error("{0}:{1:02} may be in the morning or in the afternoon")]
    HalfOfDay(i32, i32),
    /// A day or a part of one without an hour.
    #[error("it does not name a time of day")]
    NoHour,
    /// The time has passed.
    #[error("that time has passed")]
    Passed,
    /// A weekday that may be of two weeks.
    #[error("it may mean {0} or {1}")]
    TwoDays(Day, Day),
    /// A week, a month, or a repetition without a day.
    #[error("it does not name a single day")]
    NoDay,
    /// A word next to the time that may belong to it.
    #[error("it is unclear whether {0:?} belongs to the time")]
    Unread(String),
    /// Two languages read it differently.
    #[error("it can be read in two ways")]
    TwoReadings,
    /// The calendar does not have the day, or the clock the time.
    #[error("there is no {0}")]
    NoSuchTime(String),
    /// The part of the day does not have the hour.
    #[error("{0}:{1:02} is not in that part of the day")]
    OtherPart(i32, i32),
    /// Midnight of a day, which may be its beginning or its end.
    #[error("midnight may be the beginning or the end of {0}")]
    Midnight(Day),
    /// The clocks change, and that local time is left out.
    #[error("the clocks go forward then, and skip that time")]
    Skipped,
    /// The clocks change, and that local time comes twice.
    #[error("the clocks go back then, and show that time twice")]
    Twice,
}

/// Reads the time ahead that a text names, seen from a local time, in whichever language reads most of it.
///
/// # Examples
///
/// ```
/// let now = "2026-11-30T08:00:00".parse().unwrap();
/// let read = base::dates::time_ahead("on Friday at 9 call the plumber", now);
/// let when = read.when.unwrap().unwrap();
/// assert_eq!((when.day.to_string(), when.time.unwrap().to_string()), ("2026-12-04".into(), "09:00:00".into()));
/// assert_eq!(read.rest, "call the plumber");
/// ```
pub fn time_ahead(text: &str, now: NaiveDateTime) -> TimeAhead {
    read(text, (now, None))
}

/// The same, seen from an instant in the owner's zone: a distance such as `in 2 hours` is one of elapsed time, and a local
/// time that a change of the clocks skips or repeats is not certain.
pub fn time_ahead_in(text: &str, now: DateTime<Tz>) -> TimeAhead {
    read(text, (now.naive_local(), Some(now)))
}

/// The same without a present time, if it only matters which words name a time.
pub fn time_named(text: &str) -> TimeAhead {
    read(text, (NaiveDateTime::default(), None))
}

fn read(text: &str, seen_from: (NaiveDateTime, Option<DateTime<Tz>>)) -> TimeAhead {
    before_colon(text, seen_from).unwrap_or_else(|| read_whole(text, seen_from))
}

/// The time before a colon and the text behind it: a day or a repetition with its time of day, and nothing else. The text
/// keeps all its words, those of a time too.
fn before_colon(text: &str, seen_from: (NaiveDateTime, Option<DateTime<Tz>>)) -> Option<TimeAhead> {
    colons(text).find_map(|(at, sign)| {
        let read = read_whole(text.get(..at)?, seen_from);
        let when = read.when.as_ref().ok()?.as_ref()?;
        let rest = text.get(at + sign.len()..)?.trim();
        (when.time.is_some() && read.rest.is_empty() && !rest.is_empty()).then(|| TimeAhead {
            rest: rest.to_owned(),
            ..read
        })
    })
}

/// The colons that may follow a time.
fn colons(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let all = text.match_indices(": ");
    all.take_while(|(at, _)| *at <= BEFORE_COLON_BYTES_MAX)
}

fn read_whole(text: &str, (now, instant): (NaiveDateTime, Option<DateTime<Tz>>)) -> TimeAhead {
    let words = words(text);
    let read = tables().iter().filter(|table| !table.unspaced);
    let read = read.map(|table| Reading::of(table, text, &words, (now, instant)));
    let read: Vec<Reading> = read.filter(|own| own.taken.contains(&true)).collect();
    let n_most = read.iter().map(Reading::n_bytes).max();
    let mut best = read.iter().filter(|own| Some(own.n_bytes()) == n_most);
    let Some(first) = best.next() else {
        return TimeAhead {
            when: Ok(None),
            rest: text.trim().to_owned(),
            names_day: false,
            readings: Vec::new(),
        };
    };
    let when = first.when().map(Some);
    let differs = best.any(|own| own.when().map(Some) != when);
    let when = if differs {
        Err(Unclear::TwoReadings)
    } else {
        when
    };
    TimeAhead {
        readings: when
            .as_ref()
            .err()
            .map_or_else(Vec::new, |why| first.meanings(why)),
        when,
        rest: first.rest(),
        names_day: first.names_day(),
    }
}

#[cfg(test)]
#[path = "time_ahead_tests.rs"]
mod tests;
