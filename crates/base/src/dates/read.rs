//! Reads the days that a question names.
//!
//! Returns only the first span: a question seldom asks about two.

use std::ops::Range;

use super::between::between;
use super::span::{DaySpan, resolve};
use super::table::{Time, tables};
use super::unspaced::unspaced_span;
use super::words::{narrow, words};
use super::written::{first_in_numbers, outside_dates, with_month_name};
use crate::Day;

/// Maximum characters read of a question.
const CHARS_MAX: usize = 4_000;

/// The days that a question names, seen from `today`; `None` if it names none.
///
/// A date without a year is the latest one that is not in the future.
pub fn named_span(text: &str, today: Day) -> Option<DaySpan> {
    named(&read(text), today).map(|(span, _)| span)
}

/// Removes dates and the words that [`named_span`] reads as days.
///
/// # Examples
///
/// ```
/// let today = "2026-05-20".parse().unwrap();
/// let outside = base::dates::outside_days("How often did I swim between 3 and 9 May?", today);
/// assert_eq!(outside.trim_end(), "How often did I swim  ?");
/// ```
pub fn outside_days(text: &str, today: Day) -> String {
    let mut text = read(text);
    if let Some((_, words)) = named(&text, today) {
        text.replace_range(words, " ");
    }
    outside_dates(&text)
}

fn read(text: &str) -> String {
    text.chars().take(CHARS_MAX).map(narrow).collect()
}

/// The days that a text names, and the bytes of those words; the range is empty for dates and for unspaced scripts.
fn named(text: &str, today: Day) -> Option<(DaySpan, Range<usize>)> {
    let today = today.date();
    let words = words(text);
    let bytes = |own: Range<usize>| {
        let own = words.get(own)?;
        Some(own.first()?.range.start..own.last()?.range.end)
    };
    if let Some((span, own)) = between(text, &words, today) {
        return Some((span, bytes(own)?));
    }
    if let Some(written) = first_in_numbers(text) {
        return Some((written.span(today)?, 0..0));
    }
    let spoken = |at: usize| {
        let times = tables()
            .iter()
            .filter_map(|table| table.time_at(&words, at));
        let mut meant = times.filter(|(time, _)| Time::is_asked(time));
        meant.find_map(|(time, n_words)| {
            let span = resolve(time.meaning, today)?;
            Some((span, bytes(at..at + n_words)?))
        })
    };
    let first = (0..words.len()).find_map(|at| {
        let written = with_month_name(&words, at).and_then(|date| date.span(today));
        written.map(|span| (span, 0..0)).or_else(|| spoken(at))
    });
    first.or_else(|| Some((unspaced_span(text, today)?, 0..0)))
}

#[cfg(test)]
#[path = "read_tests.rs"]
mod tests;
