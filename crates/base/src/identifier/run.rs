//! Finds dates and sums of several words, such as `March 15, 2024` or `40 EUR`.
//!
//! Converts nothing.

use std::ops::Range;

use super::token::IdentifierToken;
use crate::dates::is_month;

/// Suffixes of the number of a day.
const DAY_ENDINGS: &[&str] = &["", "st", "nd", "rd", "th", "er"];

/// The codes of common currencies, and the one symbol that follows its number.
const CURRENCIES: &[&str] = &["EUR", "USD", "GBP", "CHF", "JPY", "CNY", "\u{20ac}"];

/// The forms of a date, longest first: `d` day, `m` month, `y` year, `o` the word `of`.
const DATE_FORMS: [&str; 9] = [
    "domoy", "domy", "dom", "dmoy", "dmy", "dm", "mdy", "md", "my",
];

/// The range of a date that starts at a token, and its number of tokens.
pub(super) fn date_at(
    line: &str,
    tokens: &[IdentifierToken],
    index: usize,
) -> Option<(Range<usize>, usize)> {
    let kind = |token: &IdentifierToken| match line.get(token.range.clone()).unwrap_or_default() {
        "de" | "of" => 'o',
        word if is_day(word) => 'd',
        word if is_year(word) => 'y',
        word if is_month(word) => 'm',
        _ => ' ',
    };
    let mut kinds = String::new();
    let mut next = tokens.iter().skip(index);
    // Most words begin no form, so most tokens are looked at once.
    while DATE_FORMS
        .iter()
        .any(|form| form.len() > kinds.len() && form.starts_with(&*kinds))
        && let Some(token) = next.next()
    {
        kinds.push(kind(token));
    }
    let form = DATE_FORMS.iter().find(|form| kinds.starts_with(**form))?;
    let run = tokens.get(index..index + form.len())?;
    let range = run.first()?.range.start..run.last()?.range.end;
    is_close(line, run).then_some((range, form.len()))
}

/// The range of a sum that starts at a token, a number and a currency, and its number of tokens.
pub(super) fn sum_at(
    line: &str,
    tokens: &[IdentifierToken],
    index: usize,
) -> Option<(Range<usize>, usize)> {
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

/// Whether only spaces, commas and full stops separate the tokens.
fn is_close(line: &str, run: &[IdentifierToken]) -> bool {
    run.windows(2).all(|pair| match pair {
        [left, right] => line
            .get(left.range.end..right.range.start)
            .is_some_and(|gap| gap.chars().all(|c| matches!(c, ' ' | ',' | '.'))),
        _ => true,
    })
}

/// A day of a month, or a range of days.
fn is_day(word: &str) -> bool {
    word.split(['-', '\u{2013}']).all(|part| {
        let digits = part.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let ending = part.get(digits.len()..).unwrap_or_default();
        let day = digits.parse::<u8>();
        day.is_ok_and(|day| (1..=31).contains(&day)) && DAY_ENDINGS.contains(&ending)
    })
}

fn is_year(word: &str) -> bool {
    let year = word.parse::<u16>();
    word.len() == 4 && year.is_ok_and(|year| (1900..2200).contains(&year))
}
