//! Which words of a passage stand for words of a question: what is of a kind, and what is called otherwise.
//!
//! Knows what a noun is a kind of; searches nothing.

use base::model::Spelling;
use memory::{have_one_stem, is_called_otherwise, is_kind_of, kinds_of};

/// A word of which more is a kind says too little to be looked for by its kinds.
const KINDS_MAX: usize = 240;

/// So many kinds are looked for at once.
const AT_ONCE: usize = 60;

/// Of shorter words the table of kinds holds none.
const LETTERS_MIN: usize = 3;

/// Words behind which something is asked for, each with how many words may name it.
#[rustfmt::skip]
const BEFORE: &[(&str, usize)] = &[
    ("what", 2), ("which", 2), ("what's", 2), ("a", 2), ("an", 2), ("any", 2), ("of", 2), ("many", 2), ("my", 1), ("our", 1),
];

/// Words that end what is asked for.
#[rustfmt::skip]
const END: &[&str] = &[
    "do", "does", "did", "is", "are", "was", "were", "am", "have", "has", "had", "can", "could", "will", "would", "should", "i",
    "we", "my", "our", "the", "to", "for", "in", "at", "on", "with", "from", "it", "that", "about",
];

/// Words of which nearly anything is a kind.
#[rustfmt::skip]
const ANYTHING: &[&str] = &[
    "thing", "things", "name", "names", "people", "person", "place", "time", "times", "number", "part", "way", "kind", "kinds",
    "sort", "type", "day", "year", "date", "one", "man", "woman", "lot",
];

/// Words of which what is paid by the month is a kind.
const SERVICES: &[&str] = &[
    "service",
    "services",
    "subscription",
    "subscriptions",
    "streaming",
];

/// The nouns of a message of which something may be a kind, in lower case.
pub(crate) fn asked_words(text: &str) -> Vec<String> {
    let words: Vec<String> = text
        .split(|c: char| !c.is_alphanumeric() && c != '\'')
        .map(str::to_lowercase)
        .collect();
    let mut found: Vec<String> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let before = BEFORE.iter().find(|(before, _)| before == word);
        let Some((_, n_words)) = before else { continue };
        let behind = words.iter().skip(at + 1).take(*n_words);
        let asked = behind
            .take_while(|word| !END.contains(&word.as_str()))
            .map(|word| word.trim_end_matches("'s"))
            .filter(|word| word.chars().count() >= LETTERS_MIN && !ANYTHING.contains(word));
        found.extend(asked.map(str::to_owned));
    }
    found.sort();
    found.dedup();
    found
}

/// What to search for, so that what is of the kinds that are asked for is found.
pub(crate) fn sought_kinds(asked: &[String]) -> Vec<String> {
    let of_word = |word: &String| {
        if SERVICES.contains(&word.as_str()) {
            return vec![base::services().join(" ")];
        }
        let kinds = kinds_of(word, KINDS_MAX);
        let lines: Vec<String> = kinds.chunks(AT_ONCE).map(|kinds| kinds.join(" ")).collect();
        lines
    };
    asked.iter().flat_map(of_word).collect()
}

/// Which words of a text stand for which of these.
pub(crate) fn stands_for(asked: &[String], text: &str) -> Vec<Spelling> {
    let words: Vec<String> = plain_words(text).collect();
    let pairs = asked
        .iter()
        .flat_map(|asked| words.iter().map(move |word| (asked, word)));
    let stands = |(asked, word): &(&String, &String)| {
        // A boiler that was serviced is no service.
        if SERVICES.contains(&asked.as_str()) {
            return base::is_service(word);
        }
        is_kind_of(word, asked) || is_called_otherwise(word, asked) || have_one_stem(word, asked)
    };
    let found = pairs.filter(stands).map(|(asked, word)| Spelling {
        asked: asked.clone(),
        meant: word.clone(),
    });
    found.collect()
}

fn plain_words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| word.chars().count() >= LETTERS_MIN);
    words.map(str::to_lowercase)
}

#[cfg(test)]
#[path = "kinds_tests.rs"]
mod tests;
