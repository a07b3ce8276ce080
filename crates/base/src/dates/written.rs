//! Written dates: with numbers, or with the name of a month in several languages.
//!
//! Never guesses a day that the calendar does not have.

use chrono::{Datelike, NaiveDate};

use super::span::DaySpan;
use super::table::{place, tables};
use super::words::{Word, words};

/// A date as far as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WrittenDate {
    /// The year, in four digits.
    pub year: Option<i32>,
    /// The month, from 1.
    pub month: Option<u32>,
    /// The day of the month.
    pub day: Option<u32>,
}

/// The dates that stand in a text: `2023-05-07`, `7 May 2023`, `May 7`, `in May`, `2022`.
pub fn written_dates(text: &str) -> Vec<WrittenDate> {
    let mut found: Vec<WrittenDate> = runs_of_numbers(text).filter_map(in_numbers).collect();
    if !found.is_empty() {
        return found;
    }
    let words = words(text);
    let years = words.iter().filter_map(|word| written_year(&word.plain));
    let mut years: Vec<i32> = years.collect();
    for idx in 0..words.len() {
        if let Some(date) = with_month_name(&words, idx) {
            years.retain(|year| Some(*year) != date.year);
            found.push(date);
        }
    }
    let of_year = |year| WrittenDate {
        year: Some(year),
        ..WrittenDate::default()
    };
    found.extend(years.into_iter().map(of_year));
    found
}

impl WrittenDate {
    /// The days that it names; a date without a year is the last such date that is not to come.
    pub(super) fn span(self, today: NaiveDate) -> Option<DaySpan> {
        match (self.year, self.month, self.day) {
            (Some(year), Some(month), Some(day)) => {
                NaiveDate::from_ymd_opt(year, month, day).map(DaySpan::day)
            }
            (Some(year), Some(month), None) => DaySpan::month(year, month),
            (None, Some(month), Some(day)) => last_such_day(month, day, today),
            (None, Some(month), None) => last_such_month(month, today),
            (_, None, _) => None,
        }
    }
}

/// The month that a word in lower case names, from 1.
pub fn month_of(word: &str) -> Option<u32> {
    let plain: String = word.chars().map(crate::plain_letter).collect();
    let is_like = |name: &str| name == word || name == plain;
    tables().iter().find_map(|table| {
        let short = || place(&table.short_months, is_like).map(|place| place + 1);
        table.month_like(is_like).or_else(short)
    })
}

/// Whether a word names a month, with or without a capital.
pub fn is_month(word: &str) -> bool {
    month_of(&word.to_lowercase()).is_some()
}

/// Whether a word looks like a year of a living memory.
fn is_year(word: &str) -> bool {
    word.len() == 4
        && (word.starts_with("19") || word.starts_with("20"))
        && word.bytes().all(|byte| byte.is_ascii_digit())
}

fn written_year(word: &str) -> Option<i32> {
    word.parse().ok().filter(|_| is_year(word))
}

/// The day of a month that a word names: `7`, `7th`, `07`.
pub fn day_of_month(word: &str) -> Option<u32> {
    let digits = ["st", "nd", "rd", "th"]
        .iter()
        .find_map(|ending| word.strip_suffix(ending))
        .unwrap_or(word);
    if digits.is_empty() || digits.len() > 2 {
        return None;
    }
    digits.parse().ok().filter(|day| (1..=31).contains(day))
}

/// Year, month and day of an ISO date.
pub fn iso_date(text: &str) -> Option<(i32, u32, u32)> {
    let (year, rest) = text.split_at_checked(4)?;
    let (month, day) = rest.strip_prefix('-')?.split_once('-')?;
    if !is_year(year) || month.len() != 2 || day.len() != 2 {
        return None;
    }
    let month = month
        .parse()
        .ok()
        .filter(|month| (1..=12).contains(month))?;
    Some((year.parse().ok()?, month, day_of_month(day)?))
}

/// The first date that is written with numbers alone: `2026-06-10`, `2024/01/15`, `01/15/2024`.
pub(super) fn first_in_numbers(text: &str) -> Option<WrittenDate> {
    runs_of_numbers(text).find_map(in_numbers)
}

fn runs_of_numbers(text: &str) -> impl Iterator<Item = &str> {
    let runs = text.split(|c: char| !(c.is_ascii_digit() || "-/".contains(c)));
    runs.filter(|run| run.len() >= 8)
}

fn in_numbers(run: &str) -> Option<WrittenDate> {
    let parts: Vec<&str> = run
        .split(['-', '/'])
        .filter(|part| !part.is_empty())
        .collect();
    let [first, second, third] = parts.as_slice() else {
        return None;
    };
    let (year, month, day) = if first.len() == 4 {
        (first, second, third)
    } else if third.len() == 4 && run.contains('/') {
        (third, first, second)
    } else {
        return None;
    };
    let (year, month, day) = (year.parse().ok()?, month.parse().ok()?, day.parse().ok()?);
    NaiveDate::from_ymd_opt(year, month, day).map(|_| WrittenDate {
        year: Some(year),
        month: Some(month),
        day: Some(day),
    })
}

/// The date whose month is named by the word at `idx`.
pub(super) fn with_month_name(words: &[Word], idx: usize) -> Option<WrittenDate> {
    let word = |at: Option<usize>| {
        at.and_then(|at| words.get(at))
            .map_or("", |word| word.plain.as_str())
    };
    let month = month_of(&words.get(idx)?.lower)?;
    let before = word(idx.checked_sub(1));
    let day_before = if matches!(before, "of" | "de") {
        word(idx.checked_sub(2))
    } else {
        before
    };
    let day_after = day_of_month(word(Some(idx + 1)));
    let day = day_of_month(day_before).or(day_after);
    let mut next = idx + 1 + usize::from(day_after.is_some());
    next += usize::from(matches!(word(Some(next)), "of" | "de" | "del"));
    let year = written_year(word(Some(next)));
    // "may" and "march" are verbs too, and "mar" and "dec" are other things.
    let is_month = day.is_some()
        || year.is_some()
        || ["in", "of", "since", "during", "last", "this", "until", "by"].contains(&before);
    is_month.then_some(WrittenDate {
        year,
        month: Some(month),
        day,
    })
}

/// The newest day of this name that is not to come.
pub(super) fn last_such_day(month: u32, day: u32, today: NaiveDate) -> Option<DaySpan> {
    // A leap day comes at least every eighth year.
    (0..=8)
        .filter_map(|back| NaiveDate::from_ymd_opt(today.year() - back, month, day))
        .find(|found| *found <= today)
        .map(DaySpan::day)
}

/// The newest month of this name that has begun.
pub(super) fn last_such_month(month: u32, today: NaiveDate) -> Option<DaySpan> {
    let year = if month <= today.month() {
        today.year()
    } else {
        today.year() - 1
    };
    DaySpan::month(year, month)
}
