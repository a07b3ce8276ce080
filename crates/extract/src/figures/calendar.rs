//! The days, weeks and months so far from a day, as numbers.
//!
//! Knows no words.

use base::Day;
use chrono::{Datelike, Days, Months, NaiveDate};

/// A stretch of the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stretch {
    Day,
    Week,
    Month,
    Year,
}

impl Stretch {
    pub(super) fn of(code: &str) -> Option<Self> {
        match code {
            "d" => Some(Self::Day),
            "w" => Some(Self::Week),
            "m" => Some(Self::Month),
            "y" => Some(Self::Year),
            _ => None,
        }
    }
}

/// Year, month and day so many stretches from a day, as far as the stretch tells them.
pub(super) fn numbers_of(from: Day, stretch: Stretch, n: i32) -> Vec<u64> {
    let date = from.date();
    match stretch {
        Stretch::Day => in_days(date, n).map_or_else(Vec::new, parts),
        Stretch::Week => in_days(date, n.saturating_mul(7)).map_or_else(Vec::new, parts),
        Stretch::Month => in_months(date, n)
            .map_or_else(Vec::new, |date| parts(date).into_iter().take(2).collect()),
        Stretch::Year => {
            let found = in_months(date, n.saturating_mul(12));
            found.map_or_else(Vec::new, |date| parts(date).into_iter().take(1).collect())
        }
    }
}

/// The numbers of a time as `figures.toml` writes it: `d-1`, the weekends `e0`, the week `w1`, the new year `n`.
pub(super) fn reckoned(from: Day, time: &str) -> Vec<u64> {
    let (code, n) = time.split_at_checked(1).unwrap_or((time, ""));
    let n: i32 = n.parse().unwrap_or(0);
    let date = from.date();
    let monday = in_days(
        date,
        -i32::try_from(date.weekday().num_days_from_monday()).unwrap_or(0),
    );
    let week = |n: i32| (0..7).filter_map(move |day| in_days(monday?, 7 * n + day));
    match code {
        "w" => week(n).flat_map(parts).collect(),
        "e" => (-1..=1)
            .flat_map(week)
            .filter(|day| day.weekday().num_days_from_monday() > 4)
            .flat_map(parts)
            .collect(),
        "n" => vec![1],
        _ => Stretch::of(code).map_or_else(Vec::new, |stretch| numbers_of(from, stretch, n)),
    }
}

/// The last such weekday and the next two.
pub(super) fn weekday(from: Day, weekday: u32) -> Vec<u64> {
    let today = from.date();
    let ahead =
        i32::try_from((weekday + 7 - today.weekday().num_days_from_monday()) % 7).unwrap_or(0);
    let days = [ahead - 7, ahead, ahead + 7];
    days.iter()
        .filter_map(|n| in_days(today, *n))
        .flat_map(parts)
        .collect()
}

fn parts(date: NaiveDate) -> Vec<u64> {
    vec![
        u64::from(date.year().unsigned_abs()),
        date.month().into(),
        date.day().into(),
    ]
}

fn in_days(date: NaiveDate, n: i32) -> Option<NaiveDate> {
    let days = Days::new(n.unsigned_abs().into());
    if n < 0 {
        date.checked_sub_days(days)
    } else {
        date.checked_add_days(days)
    }
}

fn in_months(date: NaiveDate, n: i32) -> Option<NaiveDate> {
    let months = Months::new(n.unsigned_abs());
    if n < 0 {
        date.checked_sub_months(months)
    } else {
        date.checked_add_months(months)
    }
}
