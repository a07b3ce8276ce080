//! Splits a text into words normalised for the tables.
//!
//! Drops accents, width and case on purpose: spellings vary.

use std::ops::Range;

use crate::plain_letter;

/// A normalised word and its range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DateWord {
    /// In lower case.
    pub(super) lower: String,
    /// In lower case, without accents.
    pub(super) plain: String,
    /// Its byte range in the text.
    pub(super) range: Range<usize>,
}

/// The words of a text, in order.
pub(super) fn words(text: &str) -> Vec<DateWord> {
    let mut found = Vec::new();
    let mut start = 0;
    for part in text.split_inclusive(|c: char| !c.is_alphanumeric()) {
        let word = part.trim_end_matches(|c: char| !c.is_alphanumeric());
        if !word.is_empty() {
            let lower: String = word.to_lowercase().chars().map(narrow).collect();
            found.push(DateWord {
                plain: lower.chars().map(plain_letter).collect(),
                lower,
                range: start..start + word.len(),
            });
        }
        start += part.len();
    }
    found
}

/// Maps a full-width digit to ASCII.
pub(super) fn narrow(character: char) -> char {
    match character {
        '\u{ff10}'..='\u{ff19}' => {
            let digit = u32::from(character) - 0xff10;
            char::from_digit(digit, 10).unwrap_or(character)
        }
        other => other,
    }
}
