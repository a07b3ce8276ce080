//! Tells whether a clause says something to a reader who does not know what stood before it.
//!
//! Judges no worth and no topic; what is bare is kept nowhere.

use std::collections::BTreeSet;

use super::conduct::is_instruction;
use super::cue::ENGLISH;
use super::date::weekday;
use super::identifier::{Identifier, identifiers};
use super::signal::{Plain, plain};

/// Fewer different words say nothing that can stand alone.
const WORDS_MIN: usize = 3;

/// So few telling words beside one that points back say nothing without what it points to.
const POINTING_TELLING_MAX: usize = 2;

/// Letters from here on belong to scripts whose words hold more than those of Latin, Greek and Cyrillic.
const DENSE_FROM: char = '\u{590}';

/// Words that answer, greet or count and name nothing.
#[rustfmt::skip]
const EMPTY_WORDS: &[&str] = &[
    "agreed", "agree", "yes", "yeah", "yep", "no", "nope", "ok", "okay", "fine", "fair", "good",
    "great", "right", "exactly", "correct", "perfect", "done", "same", "again", "too", "deal",
    "sure", "thanks", "thank", "cool", "nice", "well", "morning", "evening", "night", "hello", "hi",
    "bye", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "first",
    "second", "third", "last", "next", "both", "neither", "either", "thing", "things", "go",
    "ahead", "let", "let's", "still", "really", "here", "us", "only", "very", "much", "got",
];

/// Words that point back to what stood before.
const POINTING: &[&str] = &[
    "it", "that", "this", "one", "them", "those", "these", "same",
];

/// Whether a clause says nothing that can stand alone.
pub(super) fn is_bare(clause: &str) -> bool {
    has_few_words(clause) || is_empty_talk(clause)
}

/// Addresses are no words; scripts without spaces have no words to count.
fn has_few_words(clause: &str) -> bool {
    let words = clause
        .split_whitespace()
        .filter(|word| !word.contains("://"));
    let different: BTreeSet<&str> = words.collect();
    // `Use emojis` is whole.
    different.len() < WORDS_MIN
        && !clause.contains(|letter: char| letter >= DENSE_FROM)
        && !is_instruction(clause)
}

/// Whether a clause has nothing but answers and counts, or hangs on a word that points back.
fn is_empty_talk(clause: &str) -> bool {
    let found = identifiers(clause);
    if found.iter().any(|identifier| identifier.kind.is_exact()) {
        return false;
    }
    let Plain(words) = plain(clause);
    let telling = words.split_whitespace().filter(|word| is_telling(word));
    match telling.count() {
        0 => true,
        1..=POINTING_TELLING_MAX => points_back(clause, &words, &found),
        _ => false,
    }
}

/// Whether a word of a plain text names something.
pub(super) fn is_telling(word: &str) -> bool {
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
    !is_number && !EMPTY_WORDS.contains(&word) && !ENGLISH.contains(&word)
}

/// Whether a clause without names and figures holds a word that points back.
fn points_back(clause: &str, words: &str, found: &[Identifier<'_>]) -> bool {
    let mut names = clause.split_whitespace().skip(1).filter(|word| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        let is_capital = word.starts_with(char::is_uppercase) && !word.starts_with("I'");
        is_capital && word != "I" && weekday(&word.to_lowercase()).is_none()
    });
    let points = words
        .split_whitespace()
        .any(|word| POINTING.contains(&word));
    points && found.is_empty() && names.next().is_none()
}

#[cfg(test)]
#[path = "bare_tests.rs"]
mod tests;
