//! What others ask about a text: its own words, denials, decisions, what it leaves open.
//!
//! Answers from the language files, and nothing where a language has none.

use std::collections::BTreeSet;

use base::{dates, head};

use crate::language::{Cue, Language, language_of, likely_by_stop_words};
use crate::said;

/// So much of a message tells its language.
const LANGUAGE_CHARS: usize = 1_000;

/// What of a message its writer says in person; behind a label such as `Remember:` it is the writer who speaks.
pub fn own_words(message: &str) -> String {
    said::own_words(message, language_of(message))
}

/// So many different small words tell a language; one alone may be chance,
const STOP_WORDS_MIN: usize = 2;

/// but not where it is so many hundredths of the text.
const STOP_PERCENT_MIN: usize = 25;

/// Whether a text is surely in a language that has a file, so that its denials are known.
pub fn knows_language(text: &str) -> bool {
    language_of(text).is_some_and(|it| {
        it.stop_words_of(text).len() >= STOP_WORDS_MIN || it.stop_percent(text) >= STOP_PERCENT_MIN
    })
}

/// The denials of languages that have no file.
const DENIALS: &str = include_str!("../data/denials.txt");

/// Whether a text denies or forbids something, where a language file has words for it.
pub fn denies(text: &str) -> bool {
    let is_denial = |word: &str| DENIALS.lines().any(|denial| denial == word);
    let lower = text.to_lowercase();
    let is_denied = base::words(&lower).any(is_denial);
    is_denied || language_of(text).is_some_and(|it| it.holds(Cue::Negation, text))
}

/// The figures that a text claims in words, each with all its readings.
pub fn figures_claimed(text: &str) -> Vec<BTreeSet<u64>> {
    dates::figures_claimed(text, language_of(text).map_or("", |it| it.code.as_str()))
}

/// Whether a text is written in a language whose nouns all have capitals.
pub fn capitalises_nouns(text: &str) -> bool {
    language_of(text).is_some_and(|it| it.capital_nouns)
}

/// The words of a text that say nothing by themselves, in lower case, where a language file names them.
pub fn common_words(text: &str) -> BTreeSet<String> {
    let (_, likely) = likely_by_stop_words(text);
    likely
        .into_iter()
        .flat_map(|it| it.stop_words_of(text))
        .collect()
}

/// Of each sentence of a message whether it decides something, and whether it leaves something open.
pub fn decided_or_open(message: &str, sentences: &[&str]) -> Vec<(bool, bool)> {
    let language = language_of(head(message, LANGUAGE_CHARS));
    let holds = |cue, text: &str| language.is_some_and(|it: &Language| it.holds(cue, text));
    let told = |it: &&str| (holds(Cue::Decision, it), holds(Cue::Open, it));
    sentences.iter().map(told).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_small_word_tells_no_language() {
        for (text, is_known) in [
            ("Nie podawaj adresu do nikogo", false),
            ("My sister lives in Bergen", true),
            ("Please always answer me in short sentences", true),
            ("Meine Schwester wohnt in Bergen", true),
            ("妹はベルゲンに住んでいます", true),
        ] {
            assert_eq!(knows_language(text), is_known, "{text}");
        }
    }

    #[test]
    fn decisions_and_open_matters_are_told_in_every_language() {
        let said = [
            (
                "We decided to rent the small hall.",
                "I am not sure about the colour yet.",
            ),
            (
                "Wir haben beschlossen, den kleinen Saal zu mieten.",
                "Ich bin mir bei der Farbe noch nicht sicher.",
            ),
        ];
        for (decision, open) in said {
            let message = format!("{decision} {open}");
            let told = decided_or_open(&message, &[decision, open]);
            assert_eq!(told, [(true, false), (false, true)], "{message}");
        }
        assert_eq!(decided_or_open("", &[]), []);
    }
}
