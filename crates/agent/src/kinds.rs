//! Which words of a passage stand for words of a question: what is of a kind, and what is called otherwise.
//!
//! Knows what a noun is a kind of; searches nothing.

use base::model::Spelling;
use memory::{SearchResult, StandIns, kinds_of};

/// A word of which more is a kind says too little to be looked for by its kinds.
const KINDS_MAX: usize = 240;

/// So many kinds are looked for at once.
const AT_ONCE: usize = 60;

/// So many words are looked for by their kinds.
const ASKED_MAX: usize = 4;

/// So many searches for kinds does a message get.
const SEARCHES_MAX: usize = 4;

/// Breeds by the short names that the table of kinds does not have for them, or has for something else.
#[rustfmt::skip]
const BREEDS: &[(&[&str], &[&str])] = &[
    (&["dog", "dogs", "puppy"],
        &["labrador", "labradoodle", "cockapoo", "cavapoo", "goldendoodle", "yorkie", "westie", "staffie", "frenchie", "sheepdog",
            "vizsla", "weimaraner", "bichon", "cavalier", "schnauzer", "shiba", "malinois"]),
    (&["cat", "cats", "kitten"], &["ragdoll", "bengal", "siamese", "tabby", "birman", "sphynx", "moggy"]),
];

/// Words behind which such a breed is an animal: `I have a labrador`, `my bengal`.
const HAVING: &[&str] = &[
    "have", "has", "had", "got", "adopted", "bought", "my", "our",
];

/// So many words may stand between.
const BETWEEN_MAX: usize = 4;

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
    "and", "or", "what", "which", "how",
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

/// The words of a message of which something may be a kind, and what stands for them.
#[derive(Debug)]
pub(crate) struct Asked {
    words: Vec<String>,
    stand_ins: StandIns,
}

impl Asked {
    /// Reads a message.
    pub(crate) fn in_message(text: &str) -> Self {
        let words = asked_words(text);
        let stand_ins = StandIns::of(&words);
        Self { words, stand_ins }
    }

    /// What to search for, so that what is of the kinds that are asked for is found, where nothing that was found
    /// tells of them.
    pub(crate) fn sought_kinds(&mut self, found: &[SearchResult]) -> Vec<String> {
        let mut is_met = vec![false; self.words.len()];
        for passage in found.iter().filter(|it| tells(it)) {
            for word in plain_words(&passage.text) {
                for (asked, is_met) in self.words.iter().zip(&mut is_met) {
                    *is_met |= *asked == word;
                }
            }
            for pair in self.stands_for(&passage.text) {
                let place = self.words.iter().position(|word| *word == pair.asked);
                if let Some(is_met) = place.and_then(|place| is_met.get_mut(place)) {
                    *is_met = true;
                }
            }
        }
        let unmet = self.words.iter().zip(is_met);
        let unmet = unmet.filter(|(_, is_met)| !is_met);
        let sought = unmet.flat_map(|(word, _)| kinds_sought(word));
        sought.take(SEARCHES_MAX).collect()
    }

    /// Which words of a text stand for which of these.
    pub(crate) fn stands_for(&mut self, text: &str) -> Vec<Spelling> {
        let words: Vec<String> = all_words(text).collect();
        let mut found: Vec<Spelling> = Vec::new();
        let long = words.iter().enumerate();
        for (at, word) in long.filter(|(_, word)| is_long(word)) {
            let before = words.get(..at).unwrap_or_default().iter().rev();
            let is_had = || {
                let mut near = before.clone().take(BETWEEN_MAX);
                near.any(|word| HAVING.contains(&word.as_str()))
            };
            let by_kind = self.stand_ins.of_word(word);
            for (idx, asked) in self.words.iter().enumerate() {
                let stands = if SERVICES.contains(&asked.as_str()) {
                    // A boiler that was serviced is no service.
                    base::is_service(word)
                } else {
                    by_kind.contains(&idx) || is_breed(word, asked) && is_had()
                };
                let is_new = || {
                    found
                        .iter()
                        .all(|it| it.asked != *asked || it.meant != *word)
                };
                if stands && is_new() {
                    found.push(Spelling {
                        asked: asked.clone(),
                        meant: word.clone(),
                    });
                }
            }
        }
        found
    }
}

fn is_breed(word: &str, of: &str) -> bool {
    let mut rows = BREEDS.iter();
    rows.any(|(animal, breeds)| animal.contains(&of) && breeds.contains(&word))
}

/// Whether a passage may tell anything: a question, and what the assistant says, do not.
fn tells(passage: &SearchResult) -> bool {
    let is_told = !matches!(passage.speaker.as_deref(), Some("assistant"));
    is_told && !passage.text.trim_end().ends_with(base::QUESTION_MARKS)
}

/// The nouns of a message of which something may be a kind, in lower case.
fn asked_words(text: &str) -> Vec<String> {
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
        for asked in asked {
            if found.len() < ASKED_MAX && !found.iter().any(|it| it == asked) {
                found.push(asked.to_owned());
            }
        }
    }
    found
}

/// What to search for, so that what is of a kind is found.
fn kinds_sought(word: &str) -> Vec<String> {
    if SERVICES.contains(&word) {
        return vec![base::services().join(" ")];
    }
    let kinds = kinds_of(word, KINDS_MAX);
    kinds.chunks(AT_ONCE).map(|kinds| kinds.join(" ")).collect()
}

fn plain_words(text: &str) -> impl Iterator<Item = String> {
    all_words(text).filter(|word| is_long(word))
}

fn all_words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_lowercase)
}

fn is_long(word: &str) -> bool {
    word.chars().count() >= LETTERS_MIN
}

#[cfg(test)]
#[path = "kinds_tests.rs"]
mod tests;
