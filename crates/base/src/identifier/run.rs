//! Finds dates and sums that are written in several words, such as `March 15, 2024` or `40 EUR`.
//!
//! Knows the codes of currencies; reckons nothing.

use std::ops::Range;

use super::token::Token;
use crate::dates::is_month;

/// What may follow the number of a day.
const DAY_ENDINGS: &[&str] = &["", "st", "nd", "rd", "th", "er"];

/// The codes of common currencies, and a sign that stands behind its number.
const CURRENCIES: &[&str] = &["EUR", "USD", "GBP", "CHF", "JPY", "CNY", "\u{20ac}"];

/// The date that begins at a token, and how many tokens it takes.
pub(super) fn date_at(line: &str, tokens: &[Token], index: usize) -> Option<(Range<usize>, usize)> {
    let text = |at: usize| {
        tokens
            .get(at)
            .and_then(|token| line.get(token.range.clone()))
    };
    let is_of = |at: usize| text(at).is_some_and(|word| word == "de" || word == "of");
    let first = text(index)?;
    let mut last = index;
    if is_month(first) {
        let with_day = text(index + 1).is_some_and(is_day);
        let with_year = text(index + 1).is_some_and(is_year);
        if !with_day && !with_year {
            return None;
        }
        last += 1;
        if with_day && text(last + 1).is_some_and(is_year) {
            last += 1;
        }
    } else if is_day(first) {
        let month = if is_of(index + 1) {
            index + 2
        } else {
            index + 1
        };
        if !text(month).is_some_and(is_month) {
            return None;
        }
        last = month;
        let year = if is_of(month + 1) {
            month + 2
        } else {
            month + 1
        };
        if text(year).is_some_and(is_year) {
            last = year;
        }
    } else {
        return None;
    }
    let start = tokens.get(index)?.range.start;
    let end = tokens.get(last)?.range.end;
    is_close(line, tokens.get(index..=last)?).then_some((start..end, last - index + 1))
}

/// The sum that begins at a token: a number and the code of a currency.
pub(super) fn sum_at(line: &str, tokens: &[Token], index: usize) -> Option<(Range<usize>, usize)> {
    let run = tokens.get(index..index + 2)?;
    let [number, currency] = run else {
        return None;
    };
    let amount = line.get(number.range.clone())?;
    let code = line.get(currency.range.clone())?;
    let is_number = amount.starts_with(|c: char| c.is_ascii_digit())
        && amount
            .bytes()
            .all(|byte| byte.is_ascii_digit() || b".,'".contains(&byte));
    let is_sum = is_number && CURRENCIES.contains(&code) && is_close(line, run);
    is_sum.then_some((number.range.start..currency.range.end, 2))
}

/// Whether nothing but spaces, commas and full stops stands between the tokens.
fn is_close(line: &str, run: &[Token]) -> bool {
    run.windows(2).all(|pair| match pair {
        [left, right] => line
            .get(left.range.end..right.range.start)
            .is_some_and(|gap| gap.chars().all(|c| matches!(c, ' ' | ',' | '.'))),
        _ => true,
    })
}

/// A day of a month, or a range of two.
fn is_day(word: &str) -> bool {
    word.split(['-', '\u{2013}']).all(|part| {
        let digits = part.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let ending = part.get(digits.len()..).unwrap_or_default();
        digits
            .parse::<u8>()
            .is_ok_and(|day| (1..=31).contains(&day))
            && DAY_ENDINGS.contains(&ending)
    })
}

fn is_year(word: &str) -> bool {
    word.len() == 4
        && word
            .parse::<u16>()
            .is_ok_and(|year| (1900..2200).contains(&year))
}
