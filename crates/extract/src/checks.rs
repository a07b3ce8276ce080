//! Checks of a text for other crates: denials, figures, common words.
//!
//! Answers from the language files; negative or empty if a language has none.

use std::collections::BTreeSet;

use base::model::ListingKind;
use base::{Day, dates, n_words};

use crate::evidence::says_something;
use crate::language::{Cue, Language, language_of, likely_by_stop_words};
use crate::paragraph::sentences;
use crate::polite::{has_only_stop_words, without_courtesy};
use crate::signals::asks;
use crate::standing::may_be_wish;

/// Distinct stop words that identify a language; a single one may be chance.
const STOP_WORDS_MIN: usize = 2;

/// Percentage of stop words at which even a single one identifies a language.
const STOP_PERCENT_MIN: usize = 25;

/// Whether a text is clearly in a language with a file, so that its denials are known.
pub fn knows_language(text: &str) -> bool {
    language_of(text).is_some_and(|it| {
        it.stop_words_of(text).len() >= STOP_WORDS_MIN || it.stop_percent(text) >= STOP_PERCENT_MIN
    })
}

/// The code of the language of a text, if it is one with a file.
pub fn language_code(text: &str) -> Option<&'static str> {
    language_of(text).map(|it| it.code.as_str())
}

/// Longer messages ask for more than a list, in words; in characters for scripts without spaces.
const LISTING_WORDS_MAX: usize = 12;
const LISTING_CHARS_MAX: usize = 100;

/// The list from memory that a message asks for and that answers it as a whole, such as the lines about its author.
/// Besides the words that ask for it, the message has only stop words, courtesy and days.
pub fn listing_asked(message: &str, today: Day) -> Option<ListingKind> {
    let message = &*without_courtesy(message);
    let is_short = n_words(message) <= LISTING_WORDS_MAX
        && message.trim().chars().count() <= LISTING_CHARS_MAX;
    let likely = if is_short {
        likely_by_stop_words(message).1
    } else {
        Vec::new()
    };
    likely.into_iter().find_map(|it| {
        let is_nothing = |rest: &str| names_nothing(it, &dates::outside_days(rest, today));
        it.listing_asked((message, &is_nothing))
    })
}

/// Whether a plain text has no words but stop words and first persons.
fn names_nothing(language: &Language, plain: &str) -> bool {
    if !language.spaced {
        return has_only_stop_words(language, plain);
    }
    let mut words = plain.split_whitespace();
    words.all(|it| language.is_stop(it) || language.holds(Cue::First, it))
}

/// Denials in languages without a file.
const DENIALS: &str = include_str!("../data/denials.txt");

/// Whether a part of a text denies or forbids something, in a language whose words for it are known.
///
/// The whole text tells the language: `Also donnerstagabends bitte nichts` alone begins like English, and `se` denies
/// in Hungarian, not in Spanish.
pub fn denies(part: &str, whole: &str) -> bool {
    let language = language_of(whole);
    // `don't forget that we move` denies nothing.
    let behind = language.and_then(|it| it.behind_keep(part));
    let part = behind.unwrap_or(part);
    let is_stop = |word: &str| language.is_some_and(|it| it.is_stop(word));
    let is_denial = |word: &str| DENIALS.lines().any(|denial| denial == word) && !is_stop(word);
    let lower = part.to_lowercase();
    let is_denied = base::words(&lower).any(is_denial);
    is_denied || language.is_some_and(|it| it.holds(Cue::Negation, part))
}

/// The numbers that a text states in words, each with all its readings.
pub fn figures_claimed(text: &str) -> Vec<BTreeSet<u64>> {
    dates::figures_claimed(text, language_of(text).map_or("", |it| it.code.as_str()))
}

/// Whether a text is in a language that capitalises all nouns.
pub fn capitalises_nouns(text: &str) -> bool {
    language_of(text).is_some_and(|it| it.capital_nouns)
}

/// The stop words of a text, in lower case; empty without a language file.
pub fn common_words(text: &str) -> BTreeSet<String> {
    let likely = likely_by_stop_words(text).1.into_iter();
    likely.flat_map(|it| it.stop_words_of(text)).collect()
}

/// Whether a text speaks in the first person, in a language whose words for it are known.
pub fn is_first_person(text: &str) -> bool {
    language_of(text).is_some_and(|it| it.holds(Cue::First, text))
}

/// Whether a message asks something, by its mark or by its words.
pub fn asks_something(message: &str) -> bool {
    asks(message) || language_of(message).is_some_and(|it| it.holds(Cue::Question, message))
}

/// Whether a sentence of a part of a message asks to remember or to correct something, in a language whose words for it
/// are known. The whole message tells the language.
pub fn asks_for_a_line(part: &str, whole: &str) -> bool {
    let Some(language) = language_of(whole) else {
        return false;
    };
    let mut sentences = part.lines().flat_map(base::sentences);
    sentences.any(|it| language.asks_to_keep(it) || language.corrects(it))
}

/// Whether a message only asks to forget something or to undo the last change, apart from questions: it tells nothing.
pub fn only_takes_back(message: &str) -> bool {
    let Some(language) = language_of(message) else {
        return false;
    };
    let mut takes_back = false;
    let mut found = sentences(message).into_iter();
    let tells = found.any(|it| {
        let is_request = language.asks_to_take_back(&it.text);
        takes_back |= is_request;
        !is_request && !asks(&it.text)
    });
    takes_back && !tells
}

/// Whether a sentence stands on the first line of a message, or behind lines of nothing but greetings, requests to
/// remember and standing wishes: what stands on a line below other words may be pasted.
pub fn opens(message: &str, sentence: &str) -> bool {
    let language = language_of(message);
    let sentence = sentence.trim();
    let asks_to_keep = |text: &str| {
        let asks = language.is_some_and(|it| it.holds(Cue::Remember, text));
        asks || may_be_wish(text) || !says_something(text, language)
    };
    for line in message.lines() {
        if line.contains(sentence) {
            return true;
        }
        let mut sentences = base::sentences(line).into_iter();
        if !sentences.all(asks_to_keep) {
            return false;
        }
    }
    false
}

#[cfg(test)]
#[path = "checks_tests.rs"]
mod tests;
