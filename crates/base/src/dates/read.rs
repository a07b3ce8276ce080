//! Reads the time that a question names.
//!
//! Gives the first one: a question seldom asks about two.

use super::span::{DaySpan, resolve};
use super::table::{Time, tables};
use super::unspaced::unspaced_span;
use super::words::{narrow, words};
use super::written::{first_in_numbers, with_month_name};
use crate::Day;

/// Longest question in characters that is read; what is longer is seldom one.
const CHARS_MAX: usize = 4_000;

/// The days that a question names, where `today` is today; `None` where it names none.
///
/// A date without a year is the last such date that is not to come.
pub fn named_span(text: &str, today: Day) -> Option<DaySpan> {
    let text: String = text.chars().take(CHARS_MAX).map(narrow).collect();
    let today = today.date();
    if let Some(written) = first_in_numbers(&text) {
        return written.span(today);
    }
    let words = words(&text);
    let spoken = |at: usize| {
        let times = tables()
            .iter()
            .filter_map(|table| table.time_at(&words, at));
        let mut meant = times.map(|(time, _)| time).filter(Time::is_asked);
        meant.find_map(|time| resolve(time.meaning, today))
    };
    let first = (0..words.len()).find_map(|at| {
        let written = with_month_name(&words, at).and_then(|date| date.span(today));
        written.or_else(|| spoken(at))
    });
    first.or_else(|| unspaced_span(&text, today))
}

#[cfg(test)]
#[path = "read_tests.rs"]
mod tests;
