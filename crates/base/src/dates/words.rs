//! Cuts a question into words that can be compared with those of the tables.
//!
//! Loses accents, width and case on purpose: they are written in many ways.

use crate::plain_letter;

/// Words of a question in lower case without accents, in order.
pub(super) fn plain_words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for character in text.chars().flat_map(char::to_lowercase) {
        let character = narrow(plain_letter(character));
        if character.is_alphanumeric() {
            if let Some(word) = words.last_mut() {
                word.push(character);
            }
        } else if words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The usual form of a digit of full width.
pub(super) fn narrow(character: char) -> char {
    match character {
        '\u{ff10}'..='\u{ff19}' => {
            let digit = u32::from(character) - 0xff10;
            char::from_digit(digit, 10).unwrap_or(character)
        }
        other => other,
    }
}

/// The number that a word says.
pub(super) fn number(word: &str) -> Option<i32> {
    const NUMBERS: [&str; 13] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    if matches!(word, "a" | "an") {
        return Some(1);
    }
    let named = NUMBERS.iter().position(|name| *name == word);
    match named {
        Some(value) => i32::try_from(value).ok(),
        None if word.len() <= 4 => word.parse().ok().filter(|value| *value >= 0),
        None => None,
    }
}
