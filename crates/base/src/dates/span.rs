//! Spans of days, and the arithmetic of weeks, months and years.
//!
//! Pure: contains no words.

use chrono::{Datelike, Days, Months, NaiveDate};
use serde::Deserialize;

use crate::Day;

/// A span of days, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DaySpan {
    /// The first day.
    pub first: Day,
    /// The last day, not before the first.
    pub last: Day,
}

/// A unit of the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub(super) enum Unit {
    #[serde(rename = "d")]
    Day,
    #[serde(rename = "w")]
    Week,
    #[serde(rename = "e")]
    Weekend,
    #[serde(rename = "m")]
    Month,
    #[serde(rename = "y")]
    Year,
}

/// The meaning of a time phrase, counted from today.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SpanMeaning {
    /// The whole unit that many units away; 0 is the current one.
    Whole(Unit, i32),
    /// The exact day that many units away.
    Exact(Unit, i32),
    /// Days from the first to the last, counted from today.
    Between(i32, i32),
    /// From that many units ago until today.
    Since(Unit, i32),
    /// Months of the current year, from the first to the last.
    MonthsOfYear(u32, u32),
    /// The most recent such weekday before today; 0 is Monday.
    Weekday(u32),
    /// That weekday of the week that many weeks away.
    WeekdayOfWeek(u32, i32),
}

impl DaySpan {
    pub(super) fn of(first: NaiveDate, last: NaiveDate) -> Self {
        Self {
            first: first.into(),
            last: last.into(),
        }
    }

    pub(super) fn day(day: NaiveDate) -> Self {
        Self::of(day, day)
    }

    pub(super) fn month(year: i32, month: u32) -> Option<Self> {
        let first = NaiveDate::from_ymd_opt(year, month, 1)?;
        Some(Self::of(first, shifted(first, Unit::Month, 1)?.pred_opt()?))
    }

    /// From the beginning of one month of a year to the end of another.
    pub(super) fn months(year: i32, first: u32, last: u32) -> Option<Self> {
        Some(Self {
            first: Self::month(year, first)?.first,
            last: Self::month(year, last)?.last,
        })
    }

    /// How many days it has.
    pub fn n_days(&self) -> i64 {
        (self.last.date() - self.first.date()).num_days() + 1
    }

    /// Whether a day is in the span.
    pub fn holds(&self, day: Day) -> bool {
        self.first <= day && day <= self.last
    }
}

/// The span of a meaning, seen from `today`; `None` outside the calendar.
pub(super) fn resolve(meaning: SpanMeaning, today: NaiveDate) -> Option<DaySpan> {
    match meaning {
        SpanMeaning::Exact(unit, n) => shifted(today, unit, n).map(DaySpan::day),
        SpanMeaning::Between(first, last) => Some(DaySpan::of(
            shifted(today, Unit::Day, first)?,
            shifted(today, Unit::Day, last)?,
        )),
        SpanMeaning::Since(unit, n) => Some(DaySpan::of(shifted(today, unit, -n)?, today)),
        SpanMeaning::MonthsOfYear(first, last) => DaySpan::months(today.year(), first, last),
        SpanMeaning::Weekday(weekday) => {
            let back = (today.weekday().num_days_from_monday() + 7 - weekday) % 7;
            let back = if back == 0 { 7 } else { back };
            let day = today.checked_sub_days(Days::new(back.into()));
            day.map(DaySpan::day)
        }
        SpanMeaning::WeekdayOfWeek(weekday, weeks) => {
            // On a Saturday, `last Friday` is yesterday to some people and eight days ago to others.
            let is_past = weekday < today.weekday().num_days_from_monday();
            let weeks = (weeks >= 0 || !is_past).then_some(weeks)?;
            let monday = shifted(monday_of(today)?, Unit::Week, weeks)?;
            let day = monday.checked_add_days(Days::new(weekday.into()));
            day.map(DaySpan::day)
        }
        SpanMeaning::Whole(unit, n) => whole(unit, n, today),
    }
}

fn monday_of(today: NaiveDate) -> Option<NaiveDate> {
    today.checked_sub_days(Days::new(today.weekday().num_days_from_monday().into()))
}

fn whole(unit: Unit, n: i32, today: NaiveDate) -> Option<DaySpan> {
    let monday = monday_of(today)?;
    match unit {
        Unit::Day => shifted(today, Unit::Day, n).map(DaySpan::day),
        Unit::Week => {
            let first = shifted(monday, Unit::Week, n)?;
            Some(DaySpan::of(first, shifted(first, Unit::Day, 6)?))
        }
        Unit::Weekend => {
            let first = shifted(shifted(monday, Unit::Week, n)?, Unit::Day, 5)?;
            Some(DaySpan::of(first, first.succ_opt()?))
        }
        Unit::Month => {
            let there = shifted(today.with_day(1)?, Unit::Month, n)?;
            DaySpan::month(there.year(), there.month())
        }
        Unit::Year => DaySpan::months(today.year().checked_add(n)?, 1, 12),
    }
}

/// The day `n` units later, or earlier if negative; clamped to the end of a shorter month.
pub(super) fn shifted(day: NaiveDate, unit: Unit, n: i32) -> Option<NaiveDate> {
    let count = n.unsigned_abs();
    let by_days = |per_unit: u32| {
        let days = Days::new(u64::from(count) * u64::from(per_unit));
        match n {
            ..0 => day.checked_sub_days(days),
            _ => day.checked_add_days(days),
        }
    };
    let by_months = |per_unit: u32| {
        let months = Months::new(count.checked_mul(per_unit)?);
        match n {
            ..0 => day.checked_sub_months(months),
            _ => day.checked_add_months(months),
        }
    };
    match unit {
        Unit::Day => by_days(1),
        Unit::Week | Unit::Weekend => by_days(7),
        Unit::Month => by_months(1),
        Unit::Year => by_months(12),
    }
}
