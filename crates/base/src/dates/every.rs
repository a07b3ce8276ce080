//! Repetitions of the calendar: every day, week, month or year.
//!
//! Pure: contains no words, and does not read times of day.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use chrono::{Datelike, NaiveDate};

use super::span::{Unit, shifted};
use crate::Day;

/// A repetition, by days.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Every {
    /// Each day.
    Day,
    /// Each week, on these weekdays; 0 is Monday.
    Week(BTreeSet<u32>),
    /// Every other week, on this weekday; 0 is Monday.
    OtherWeek(u32),
    /// Each month, on this day; on the last day of a shorter month.
    Month(u32),
    /// Each year, on this day of this month; on the last day of a shorter month.
    Year(u32, u32),
}

const WEEKDAYS: [&str; 7] = [
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
];

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

impl Every {
    /// The first such day after `day`; `None` at the end of the calendar.
    ///
    /// # Examples
    ///
    /// ```
    /// let every: base::dates::Every = "every month on the 31st".parse().unwrap();
    /// let next = every.next_after("2027-01-31".parse().unwrap()).unwrap();
    /// assert_eq!(next.to_string(), "2027-02-28");
    /// ```
    pub fn next_after(&self, day: Day) -> Option<Day> {
        let day = day.date();
        let next = match self {
            Self::Day => day.succ_opt(),
            Self::Week(weekdays) => {
                let mut ahead = (1..=7).filter_map(|n| shifted(day, Unit::Day, n));
                let is_own =
                    |it: &NaiveDate| weekdays.contains(&it.weekday().num_days_from_monday());
                ahead.find(is_own)
            }
            Self::OtherWeek(weekday) => {
                // Counted from a day of the repetition itself.
                let is_own = day.weekday().num_days_from_monday() == *weekday;
                let n_days = if is_own { 14 } else { 7 };
                let mut ahead = (1..=n_days)
                    .rev()
                    .filter_map(|n| shifted(day, Unit::Day, n));
                ahead.find(|it| it.weekday().num_days_from_monday() == *weekday)
            }
            Self::Month(of_month) => {
                let first = day.with_day(1)?;
                let months = (0..=1).filter_map(|n| shifted(first, Unit::Month, n));
                let mut days = months.filter_map(|it| clamped(it.year(), it.month(), *of_month));
                days.find(|it| *it > day)
            }
            Self::Year(month, of_month) => {
                let years = [day.year(), day.year().checked_add(1)?];
                let mut days = years
                    .into_iter()
                    .filter_map(|it| clamped(it, *month, *of_month));
                days.find(|it| *it > day)
            }
        };
        next.map(Day::from)
    }
}

impl Every {
    /// The day on which it begins, if it is set on `day`: the first such day after it.
    pub(super) fn first_after(&self, day: Day) -> Option<Day> {
        match self {
            Self::OtherWeek(weekday) => Self::Week([*weekday].into()).next_after(day),
            Self::Day | Self::Week(_) | Self::Month(_) | Self::Year(..) => self.next_after(day),
        }
    }
}

/// The day of a month, or its last one if it is shorter.
fn clamped(year: i32, month: u32, day: u32) -> Option<NaiveDate> {
    let mut days = (1..=day.min(31)).rev();
    days.find_map(|day| NaiveDate::from_ymd_opt(year, month, day))
}

impl fmt::Display for Every {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |names: &[&'static str], place: u32| {
            let place = usize::try_from(place).ok();
            place
                .and_then(|it| names.get(it).copied())
                .unwrap_or_default()
        };
        match self {
            Self::Day => formatter.write_str("every day"),
            Self::Week(weekdays) => {
                let names: Vec<&str> = weekdays.iter().map(|it| name(&WEEKDAYS, *it)).collect();
                write!(formatter, "every {}", names.join(" and "))
            }
            Self::OtherWeek(weekday) => {
                write!(formatter, "every other {}", name(&WEEKDAYS, *weekday))
            }
            Self::Month(day) => write!(formatter, "every month on the {}", ordinal(*day)),
            Self::Year(month, day) => {
                write!(
                    formatter,
                    "every year on {day} {}",
                    name(&MONTHS, month - 1)
                )
            }
        }
    }
}

fn ordinal(day: u32) -> String {
    let ending = match (day % 10, day) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{day}{ending}")
}

/// The text is not a repetition.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a repetition such as `every Monday` or `every month on the 1st`")]
pub struct ParseEveryError(String);

impl FromStr for Every {
    type Err = ParseEveryError;

    /// Reads a repetition in any language of the tables, if the text says nothing else.
    fn from_str(text: &str) -> Result<Self, ParseEveryError> {
        // A repetition means the same on every day.
        let now = NaiveDate::default().and_time(chrono::NaiveTime::MIN);
        let read = super::time_ahead::time_ahead(text, now);
        let every = read.when.ok().flatten().and_then(|when| when.every);
        let is_whole = read.rest.is_empty();
        every
            .filter(|_| is_whole)
            .ok_or_else(|| ParseEveryError(text.to_owned()))
    }
}
