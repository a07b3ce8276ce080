//! Extracts the numbers of a text, by digits alone, in any language.

use std::collections::BTreeSet;
use std::ops::Range;

use base::dates::WrittenDate;

/// The numbers of a text without leading zeros. A separator before a group of three digits joins, any other splits.
pub(crate) fn figures(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let chars: Vec<char> = text.chars().collect();
    let digit = |idx: usize| chars.get(idx).and_then(|c| c.to_digit(10));
    let mut idx = 0;
    while idx < chars.len() {
        if digit(idx).is_none() {
            idx += 1;
            continue;
        }
        let mut number = String::new();
        let mut n_groups = 0;
        loop {
            while let Some(value) = digit(idx) {
                number.extend(char::from_digit(value, 10));
                idx += 1;
            }
            let joins = matches!(
                chars.get(idx),
                Some(',' | '.' | '\'' | '\u{2019}' | '\u{202f}' | '\u{a0}' | ' ')
            );
            let is_group = (1..=3).all(|n| digit(idx + n).is_some()) && digit(idx + 4).is_none();
            // More than three digits before the first separator are a number of their own.
            n_groups += 1;
            if !joins || !is_group || n_groups == 1 && number.len() > 3 {
                break;
            }
            idx += 1;
        }
        let plain = number.trim_start_matches('0');
        found.insert(if plain.is_empty() { "0" } else { plain }.to_owned());
    }
    found
}

/// The dates and months written as `2026-04-20` and `2026-04`, each with its place.
pub(crate) fn iso_dates(text: &str) -> Vec<(Range<usize>, WrittenDate)> {
    let is_part = |c: char| c.is_ascii_digit() || c == '-';
    let mut found = Vec::new();
    let mut at = 0;
    for run in text.split_inclusive(|c: char| !is_part(c)) {
        let start = at;
        at += run.len();
        let run = run.trim_end_matches(|c: char| !is_part(c));
        let lengths: Vec<usize> = run.split('-').map(str::len).collect();
        let mut parts = run.split('-').map(|part| part.parse::<u32>().ok());
        if matches!(lengths.as_slice(), [4, 2] | [4, 2, 2]) {
            let date = WrittenDate {
                year: parts
                    .next()
                    .flatten()
                    .and_then(|year| i32::try_from(year).ok()),
                month: parts.next().flatten(),
                day: parts.next().flatten(),
            };
            found.push((start..start + run.len(), date));
        }
    }
    found
}
