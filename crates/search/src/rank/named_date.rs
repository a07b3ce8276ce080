//! Grades how well a day matches the dates that a question names.
//!
//! Independent of today's date.

use base::Day;
use base::dates::{DaySpan, WrittenDate};
use chrono::Datelike;

/// A passage written up to this many days after a named day may still be about it.
const AFTERMATH_DAYS: i64 = 7;

/// Spans longer than this many days count less.
const LONG_DAYS: i64 = 31;

/// Match of a day with a named date: 1 for that day, less for the days after it.
pub(crate) fn grade(named: WrittenDate, day: Day) -> f64 {
    let date = day.date();
    if named.year.is_some_and(|year| year != date.year()) {
        return 0.0;
    }
    match (named.month, named.day) {
        (None, _) => 0.5,
        (Some(month), None) => f64::from(u8::from(month == date.month())),
        (Some(month), Some(day)) => {
            let named =
                chrono::NaiveDate::from_ymd_opt(named.year.unwrap_or(date.year()), month, day);
            match named.map(|named| (date - named).num_days()) {
                Some(0) => 1.0,
                Some(n_days @ 1..=AFTERMATH_DAYS) => {
                    0.5 * (1.0 - small(n_days - 1) / small(AFTERMATH_DAYS))
                }
                _ => 0.0,
            }
        }
    }
}

/// Match of a day with a named span; a long span counts less.
pub(crate) fn span_grade(span: DaySpan, day: Day) -> f64 {
    if !span.holds(day) {
        0.0
    } else if span.n_days() <= LONG_DAYS {
        1.0
    } else {
        0.5
    }
}

fn small(n_days: i64) -> f64 {
    i32::try_from(n_days).map_or(0.0, f64::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn day_is_graded_by_nearness_to_named_date() {
        let day = |text: &str| text.parse::<Day>().unwrap();
        let named = WrittenDate {
            year: Some(2023),
            month: Some(5),
            day: Some(7),
        };
        let grade = |named, text: &str| (grade(named, day(text)) * 100.0).round().to_string();
        assert_eq!(
            ["2023-05-07", "2023-05-08", "2023-05-06", "2024-05-07"].map(|text| grade(named, text)),
            ["100", "50", "0", "0"]
        );
        let month = WrittenDate { day: None, ..named };
        assert_eq!(
            ["2023-05-31", "2023-06-01"].map(|text| grade(month, text)),
            ["100", "0"]
        );
    }
}
