//! Spans named by both ends: `between 3 and 9 May`, `from March to May 2026`.
//!
//! Never joins two days without a joining word of the tables.

use std::ops::Range;

use chrono::{Datelike, NaiveDate};

use super::span::DaySpan;
use super::table::tables;
use super::words::DateWord;
use super::written::{WrittenDate, date_in_numbers, dated_words, day_of_month, month_of};

/// The first span of a text named by both ends, and its words.
pub(super) fn between(
    text: &str,
    words: &[DateWord],
    today: NaiveDate,
) -> Option<(DaySpan, Range<usize>)> {
    let dates: Vec<(WrittenDate, Range<usize>)> = (0..words.len())
        .filter_map(|idx| dated_words(words, idx).or_else(|| date_in_numbers(text, words, idx)))
        .collect();
    let mut patterns = tables().iter().flat_map(|table| &table.between);
    patterns.find_map(|pattern| {
        (0..words.len()).find_map(|joint| joined_at(words, &dates, (pattern, joint), today))
    })
}

/// The span whose ends surround the word at `joint`. That word must end the pattern, and the pattern's first word, if
/// it has two, must precede the ends; an article may precede each end.
fn joined_at(
    words: &[DateWord],
    dates: &[(WrittenDate, Range<usize>)],
    (pattern, joint): (&str, usize),
    today: NaiveDate,
) -> Option<(DaySpan, Range<usize>)> {
    let is = |at: usize, word: &str| words.get(at).is_some_and(|it| it.plain == word);
    let (opening, joining) = pattern.rsplit_once(' ').unwrap_or(("", pattern));
    if !is(joint, joining) {
        return None;
    }
    let month = |at: usize| {
        let month = month_of(&words.get(at)?.lower).filter(|_| !opening.is_empty());
        let date = WrittenDate {
            month,
            ..WrittenDate::default()
        };
        month.map(|_| (date, at..at + 1))
    };
    let beginning = |at: usize| {
        let mut own = dates.iter().filter(|(_, words)| words.start == at);
        own.next().cloned().or_else(|| month(at))
    };
    let (last, last_words) = beginning(joint + 1).or_else(|| beginning(joint + 2))?;
    let before = joint.checked_sub(1)?;
    let mut ending = dates.iter().filter(|(_, words)| words.end == joint);
    let (first, first_words) = ending.next().cloned().or_else(|| {
        let day = day_of_month(&words.get(before)?.plain).filter(|_| last.day.is_some());
        let date = day.map(|_| (WrittenDate { day, ..last }, before..joint));
        date.or_else(|| month(before))
    })?;
    let start = if opening.is_empty() {
        first_words.start
    } else {
        let places = [1, 2].into_iter();
        let mut places = places.filter_map(|back| first_words.start.checked_sub(back));
        places.find(|at| is(*at, opening))?
    };
    let span = from_to(first, last, today)?;
    Some((span, start..last_words.end))
}

/// The span from `first` to `last`; an end without a year takes the year of the other.
fn from_to(first: WrittenDate, last: WrittenDate, today: NaiveDate) -> Option<DaySpan> {
    let year = last.year.or(first.year);
    let last = WrittenDate { year, ..last }.span(today)?;
    let of_year = |year| WrittenDate { year, ..first }.days();
    let year = last.last.date().year();
    let first = match first.year {
        Some(year) => of_year(Some(year))?,
        None => of_year(Some(year))
            .filter(|it| it.first <= last.first)
            .or_else(|| of_year(Some(year - 1)))?,
    };
    let (first, last) = (first.first, last.last);
    (first <= last).then_some(DaySpan { first, last })
}
