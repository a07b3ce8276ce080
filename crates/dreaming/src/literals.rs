//! Finds the parts of a text that must be copied exactly: addresses, names, hours.
//!
//! Independent of the language.

use std::collections::BTreeSet;

use crate::wording::{is_dense, words};

/// Addresses, paths and similar, which must occur verbatim in the evidence: words with a mark such as `@` or `/`, and
/// words that mix letters and digits.
pub(crate) fn identifiers(text: &str) -> BTreeSet<String> {
    let is_edge = |c: char| !c.is_alphanumeric() && !matches!(c, '/' | '~' | '@' | '#' | '_');
    let pieces = text
        .split(|c: char| c.is_whitespace() || is_dense(c))
        .map(|word| word.trim_matches(is_edge));
    let found = pieces.filter(|word| {
        let inner: Vec<char> = word.chars().collect();
        let has_mark = inner
            .iter()
            .any(|c| matches!(c, '@' | '/' | '\\' | '_' | '#'))
            || word.trim_matches('.').contains('.') && word.chars().any(char::is_alphabetic);
        let is_mixed =
            inner.iter().any(char::is_ascii_digit) && inner.iter().any(|c| c.is_alphabetic());
        word.chars().any(char::is_alphanumeric) && (has_mark || is_mixed)
    });
    found.map(str::to_owned).collect()
}

/// Words that may be names: capitalised words inside a sentence, and runs of katakana.
pub(crate) fn names(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut begins = true;
    for piece in text.split_inclusive(|c: char| c.is_whitespace()) {
        for word in words(piece) {
            let has_capital = word.chars().next().is_some_and(char::is_uppercase);
            // Not `I'm`.
            let stem = word.split(['\'', '\u{2019}']).next().unwrap_or(word);
            if has_capital && !begins && stem.chars().count() > 1 {
                found.insert(word.to_owned());
            }
            begins = false;
        }
        let ends = piece.trim_end();
        begins |= ends.ends_with(['.', '!', '?', ':', '\u{3002}', '\u{ff01}', '\u{ff1f}']);
    }
    let is_katakana = |c: char| ('\u{30a1}'..='\u{30fc}').contains(&c);
    let runs = text.split(|c: char| !is_katakana(c));
    found.extend(
        runs.filter(|run| run.chars().count() > 1)
            .map(str::to_owned),
    );
    found
}

/// The hours and minutes of times with a colon.
pub fn clock_times(text: &str) -> Vec<(u64, u64)> {
    let pieces = text.split(|c: char| !c.is_ascii_digit() && c != ':');
    let found = pieces.filter_map(|piece| piece.split_once(':'));
    found
        .filter_map(|(hour, minute)| Some((hour.parse().ok()?, minute.parse().ok()?)))
        .collect()
}

/// The hours of times with a colon, as in 19:30.
pub(crate) fn hours(text: &str) -> BTreeSet<u64> {
    let pieces = text.split(|c: char| !c.is_ascii_digit() && c != ':');
    let found = pieces.filter_map(|piece| piece.split_once(':'));
    found.filter_map(|(hour, _)| hour.parse().ok()).collect()
}

#[cfg(test)]
#[path = "literals_tests.rs"]
mod tests;
