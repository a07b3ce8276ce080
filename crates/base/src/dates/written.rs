//! Written dates: in digits, or with the name of a month in several languages.
//!
//! Never returns a day that the calendar does not have.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;

use chrono::{Datelike, NaiveDate};

use super::span::DaySpan;
use super::table::tables;
use super::words::{DateWord, words};

/// A possibly incomplete written date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WrittenDate {
    /// The year, in four digits.
    pub year: Option<i32>,
    /// The month, from 1.
    pub month: Option<u32>,
    /// The day of the month.
    pub day: Option<u32>,
}

/// The dates in a text: `2023-05-07`, `7 May 2023`, `May 7`, `in May`, `2022`.
pub fn written_dates(text: &str) -> Vec<WrittenDate> {
    let in_runs = runs_of_numbers(text).filter_map(|(_, run)| in_numbers(run));
    let mut found: Vec<WrittenDate> = in_runs.collect();
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
    found.extend(years.into_iter().map(|year| WrittenDate {
        year: Some(year),
        ..WrittenDate::default()
    }));
    found
}

/// Replaces the dates that [`written_dates`] reads with spaces.
///
/// # Examples
///
/// ```
/// use base::dates::outside_dates;
/// let plain = |text| outside_dates(text).split_whitespace().collect::<Vec<_>>().join(" ");
/// assert_eq!(plain("what did I eat on 8 July 2016?"), "what did I eat on ?");
/// assert_eq!(plain("On 2016/07/08, what?"), "On , what?");
/// ```
pub fn outside_dates(text: &str) -> String {
    let runs = runs_of_numbers(text).filter(|(_, run)| in_numbers(run).is_some());
    let mut dates: Vec<Range<usize>> = runs.map(|(at, run)| at..at + run.len()).collect();
    if dates.is_empty() {
        let words = words(text);
        let of = |own: Range<usize>| {
            let first = words.get(own.start)?.range.start;
            Some(first..words.get(own.end.checked_sub(1)?)?.range.end)
        };
        let named = (0..words.len()).filter_map(|idx| dated_words(&words, idx));
        dates.extend(named.filter_map(|(_, own)| of(own)));
        let years = words.iter().filter(|word| is_year(&word.plain));
        dates.extend(years.map(|word| word.range.clone()));
    }
    let mut plain = String::with_capacity(text.len());
    for (at, character) in text.char_indices() {
        let is_dated = dates.iter().any(|date| date.contains(&at));
        plain.push(if is_dated { ' ' } else { character });
    }
    plain
}

impl WrittenDate {
    /// The days it names, if it has a year.
    pub fn days(self) -> Option<DaySpan> {
        match (self.year?, self.month, self.day) {
            (year, Some(month), Some(day)) => {
                NaiveDate::from_ymd_opt(year, month, day).map(DaySpan::day)
            }
            (year, Some(month), None) => DaySpan::month(year, month),
            (year, None, _) => DaySpan::months(year, 1, 12),
        }
    }

    /// The nearest such day to `today`, if it names a day and a month without a year.
    pub(super) fn nearest_day(self, today: NaiveDate) -> Option<DaySpan> {
        let (None, Some(month), Some(day)) = (self.year, self.month, self.day) else {
            return None;
        };
        let years = (-LEAP_YEARS..=LEAP_YEARS).map(|n| today.year() + n);
        let days = years.filter_map(|year| NaiveDate::from_ymd_opt(year, month, day));
        let nearest = days.min_by_key(|own| (*own - today).num_days().abs());
        nearest.map(DaySpan::day)
    }

    /// The days it names; a date without a year is the latest one that is not in the future.
    pub(super) fn span(self, today: NaiveDate) -> Option<DaySpan> {
        match (self.year, self.month, self.day) {
            (Some(_), Some(_), _) => self.days(),
            (None, Some(month), Some(day)) => last_such_day(month, day, today),
            (None, Some(month), None) => last_such_month(month, today),
            (_, None, _) => None,
        }
    }
}

/// The month that a word in lower case names, from 1.
pub fn month_of(word: &str) -> Option<u32> {
    let names = month_names();
    let found = names.get(word);
    // An ASCII word has no accents to strip.
    let plain = (!word.is_ascii()).then(|| word.chars().map(crate::plain_letter).collect());
    let found_plain = plain.and_then(|plain: String| names.get(plain.as_str()));
    let found = found.into_iter().chain(found_plain).min();
    found.map(|(_, month)| *month)
}

/// Month names, long and short, each with the index of its list and its month: a map, because every word of a text
/// is looked up.
fn month_names() -> &'static HashMap<&'static str, (usize, u32)> {
    static NAMES: OnceLock<HashMap<&str, (usize, u32)>> = OnceLock::new();
    NAMES.get_or_init(|| {
        let mut names = HashMap::new();
        let tables = tables().iter();
        let lists = tables.flat_map(|table| [&table.months, &table.short_months]);
        for (place, months) in lists.enumerate() {
            for (month, alike) in (1..).zip(months) {
                for name in alike.split('|') {
                    names.entry(name).or_insert((place, month));
                }
            }
        }
        names
    })
}

/// Whether a word names a month, in any case.
pub fn is_month(word: &str) -> bool {
    month_of(&word.to_lowercase()).is_some()
}

/// Whether a word looks like a year within living memory.
fn is_year(word: &str) -> bool {
    word.len() == 4
        && (word.starts_with("19") || word.starts_with("20"))
        && word.bytes().all(|byte| byte.is_ascii_digit())
}

fn written_year(word: &str) -> Option<i32> {
    word.parse().ok().filter(|_| is_year(word))
}

/// Endings of a day of a month in digits.
pub(super) const DAY_ENDINGS: [&str; 7] = ["st", "nd", "rd", "th", "er", "\u{ba}", "\u{b0}"];

/// Parses the day of a month: `7`, `7th`, `07`.
pub fn day_of_month(word: &str) -> Option<u32> {
    let mut endings = DAY_ENDINGS.iter();
    let digits = endings.find_map(|ending| word.strip_suffix(ending));
    let digits = digits.unwrap_or(word);
    if digits.is_empty() || digits.len() > 2 {
        return None;
    }
    digits.parse().ok().filter(|day| (1..=31).contains(day))
}

/// Parses year, month and day of an ISO date.
pub fn iso_date(text: &str) -> Option<(i32, u32, u32)> {
    let (year, rest) = text.split_at_checked(4)?;
    let (month, day) = rest.strip_prefix('-')?.split_once('-')?;
    if !is_year(year) || month.len() != 2 || day.len() != 2 {
        return None;
    }
    let month = month.parse().ok()?;
    let is_month = (1..=12).contains(&month);
    let date = (year.parse().ok()?, month, day_of_month(day)?);
    is_month.then_some(date)
}

/// The first date in digits alone: `2026-06-10`, `2024/01/15`, `01/15/2024`.
pub(super) fn first_in_numbers(text: &str) -> Option<WrittenDate> {
    runs_of_numbers(text).find_map(|(_, run)| in_numbers(run))
}

/// Runs of digits that may be dates, each with its position.
fn runs_of_numbers(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    let parts = text.split_inclusive(|c: char| !(c.is_ascii_digit() || "-/".contains(c)));
    let runs = parts.map(move |part| {
        let start = at;
        at += part.len();
        let is_other = |c: char| !(c.is_ascii_digit() || "-/".contains(c));
        (start, part.trim_end_matches(is_other))
    });
    runs.filter(|(_, run)| run.len() >= 8)
}

fn in_numbers(run: &str) -> Option<WrittenDate> {
    let parts = run.split(['-', '/']).filter(|part| !part.is_empty());
    let parts: Vec<&str> = parts.collect();
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
    // `24/12/2026` can only begin with its day.
    let of = |month, day| NaiveDate::from_ymd_opt(year, month, day);
    let is_swapped = first.len() < 4 && of(month, day).is_none();
    let date = if is_swapped {
        of(day, month)
    } else {
        of(month, day)
    }?;
    Some(WrittenDate {
        year: Some(year),
        month: Some(date.month()),
        day: Some(date.day()),
    })
}

pub(super) fn with_month_name(words: &[DateWord], idx: usize) -> Option<WrittenDate> {
    dated_words(words, idx).map(|(date, _)| date)
}

/// The date in digits that starts with the word at `idx`, and its words.
pub(super) fn date_in_numbers(
    text: &str,
    words: &[DateWord],
    idx: usize,
) -> Option<(WrittenDate, Range<usize>)> {
    let own = idx..idx + 3;
    let [first, .., last] = words.get(own.clone())? else {
        return None;
    };
    let date = in_numbers(text.get(first.range.start..last.range.end)?)?;
    Some((date, own))
}

/// The date whose month is the word at `idx`, and its words.
pub(super) fn dated_words(words: &[DateWord], idx: usize) -> Option<(WrittenDate, Range<usize>)> {
    let word = |at: Option<usize>| {
        let word = at.and_then(|at| words.get(at));
        word.map_or("", |word| word.plain.as_str())
    };
    let month = month_of(&words.get(idx)?.lower)?;
    let before = word(idx.checked_sub(1));
    let is_joined = matches!(before, "of" | "de");
    let at_day = idx.checked_sub(1 + usize::from(is_joined));
    let day_before = day_of_month(word(at_day));
    let first = at_day.filter(|_| day_before.is_some()).unwrap_or(idx);
    let day_after = day_of_month(word(Some(idx + 1)));
    let day = day_before.or(day_after);
    let mut next = idx + 1 + usize::from(day_after.is_some());
    next += usize::from(matches!(word(Some(next)), "of" | "de" | "del"));
    let year = written_year(word(Some(next)));
    // "may" and "march" are verbs as well, and "mar" and "dec" have other meanings.
    let is_month = day.is_some()
        || year.is_some()
        || ["in", "of", "since", "during", "last", "this", "until", "by"].contains(&before);
    let end = match year {
        Some(_) => next + 1,
        None => idx + 1 + usize::from(day_after.is_some()),
    };
    let date = WrittenDate {
        year,
        month: Some(month),
        day,
    };
    is_month.then_some((date, first..end))
}

/// There is a leap day at least every eighth year.
const LEAP_YEARS: i32 = 8;

/// The latest such day that is not in the future.
fn last_such_day(month: u32, day: u32, today: NaiveDate) -> Option<DaySpan> {
    let years = (0..=LEAP_YEARS).map(|back| today.year() - back);
    let mut days = years.filter_map(|year| NaiveDate::from_ymd_opt(year, month, day));
    days.find(|found| *found <= today).map(DaySpan::day)
}

/// The latest such month that has begun.
fn last_such_month(month: u32, today: NaiveDate) -> Option<DaySpan> {
    let is_to_come = month > today.month();
    DaySpan::month(today.year() - i32::from(is_to_come), month)
}
