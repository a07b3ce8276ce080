//! Dates that a question names, and how well a day meets one.
//!
//! Never asks what day it is: "last week" names no date here.

use base::Day;
use chrono::Datelike;

use super::time::DaySpan;
use crate::terms::{day_of_month, is_year, iso_date, month_of};

/// A date as far as the question says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct NamedDate {
    pub(crate) year: Option<i32>,
    pub(crate) month: Option<u32>,
    pub(crate) day: Option<u32>,
}

/// A day up to this long after a named one still speaks of it.
const AFTERMATH_DAYS: i64 = 7;

/// A span of more days than a month tells less.
const LONG_DAYS: i64 = 31;

/// The dates in a question whose words are given in lower case, ISO dates whole.
pub(crate) fn named_dates(words: &[String]) -> Vec<NamedDate> {
    let mut dates = Vec::new();
    let word = |idx: Option<usize>| {
        idx.and_then(|idx| words.get(idx))
            .map_or("", String::as_str)
    };
    let mut is_used = vec![false; words.len()];
    for idx in 0..words.len() {
        if let Some((year, month, day)) = iso_date(word(Some(idx))) {
            dates.push(NamedDate {
                year: Some(year),
                month: Some(month),
                day: Some(day),
            });
            continue;
        }
        let Some(month) = month_of(word(Some(idx))) else {
            continue;
        };
        let before = word(idx.checked_sub(1));
        let day_before = if before == "of" {
            word(idx.checked_sub(2))
        } else {
            before
        };
        let after = word(Some(idx + 1));
        let day = day_of_month(day_before).or_else(|| day_of_month(after));
        let next = word(Some(
            idx + if day_of_month(after).is_some() { 2 } else { 1 },
        ));
        let year = Some(next)
            .filter(|next| is_year(next))
            .and_then(|next| next.parse().ok());
        if let Some(flag) = is_used.get_mut(idx + if day_of_month(after).is_some() { 2 } else { 1 })
        {
            *flag = year.is_some();
        }
        // "may" and "march" are verbs too.
        let is_month = day.is_some()
            || year.is_some()
            || ["in", "of", "since", "during", "last", "this", "until", "by"].contains(&before);
        if is_month {
            dates.push(NamedDate {
                year,
                month: Some(month),
                day,
            });
        }
    }
    for (word, is_used) in words.iter().zip(is_used) {
        if is_year(word) && !is_used {
            dates.push(NamedDate {
                year: word.parse().ok(),
                ..NamedDate::default()
            });
        }
    }
    dates
}

/// How well a day meets a named date: 1 for the very day, less for the days after it.
pub(crate) fn grade(named: NamedDate, day: Day) -> f64 {
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

/// How well a day meets the days that a question names in words: a long span tells less.
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

    #[track_caller]
    fn check(question: &str, expected: &[(Option<i32>, Option<u32>, Option<u32>)]) {
        let words: Vec<String> = question.split(' ').map(str::to_owned).collect();
        let found: Vec<_> = named_dates(&words)
            .iter()
            .map(|date| (date.year, date.month, date.day))
            .collect();
        assert_eq!(found, expected, "{question}");
    }

    #[test]
    fn dates_are_named_in_many_ways() {
        check("what on 7 may 2023", &[(Some(2023), Some(5), Some(7))]);
        check("on the 7th of may", &[(None, Some(5), Some(7))]);
        check("may 7 2023 or june", &[(Some(2023), Some(5), Some(7))]);
        check("in may 2023", &[(Some(2023), Some(5), None)]);
        check("2023-05-07", &[(Some(2023), Some(5), Some(7))]);
        check("trips in 2022", &[(Some(2022), None, None)]);
        check("what may i do", &[]);
    }

    #[test]
    fn a_day_meets_a_date_by_grades() {
        let day = |text: &str| text.parse::<Day>().unwrap();
        let named = NamedDate {
            year: Some(2023),
            month: Some(5),
            day: Some(7),
        };
        let grade = |named, text: &str| (grade(named, day(text)) * 100.0).round().to_string();
        assert_eq!(
            ["2023-05-07", "2023-05-08", "2023-05-06", "2024-05-07"].map(|text| grade(named, text)),
            ["100", "50", "0", "0"]
        );
        let month = NamedDate { day: None, ..named };
        assert_eq!(
            ["2023-05-31", "2023-06-01"].map(|text| grade(month, text)),
            ["100", "0"]
        );
    }
}
