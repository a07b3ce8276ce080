//! Reads the time that a question names.
//!
//! Gives the first one: a question seldom asks about two.

use super::phrases::phrase;
use super::span::{DaySpan, resolve};
use super::unspaced::unspaced_span;
use super::words::{narrow, plain_words};
use super::written::{first_in_numbers, with_month_name};
use crate::Day;

/// Longest question in characters that is read; what is longer is seldom one.
const CHARS_MAX: usize = 4_000;

/// The days that a question names, where `today` is today; `None` where it names none.
///
/// A date without a year is the last such date that is not to come.
pub fn named_span(text: &str, today: Day) -> Option<DaySpan> {
    let text: String = text.chars().take(CHARS_MAX).map(narrow).collect();
    if let Some(written) = first_in_numbers(&text) {
        return written.span(today.date());
    }
    let words = plain_words(&text);
    let spoken = (0..words.len()).find_map(|idx| {
        with_month_name(&words, idx)
            .and_then(|date| date.span(today.date()))
            .or_else(|| phrase(&words, idx).and_then(|meaning| resolve(meaning, today.date())))
    });
    spoken.or_else(|| unspaced_span(&text, today.date()))
}

#[cfg(test)]
#[path = "read_tests.rs"]
mod tests;
