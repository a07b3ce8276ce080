//! Checks whether a text holds an identifier or the content of a sentence.
//!
//! Compares characters and words only.

use std::collections::BTreeSet;

use base::identifier::{identifiers, is_chinese_or_japanese};
use base::is_unspaced;

/// Shorter words carry little meaning.
const WORD_CHARS_MIN: usize = 4;

/// Share of a sentence's words, and of its distinctive words, that a text must hold, in hundredths; the
/// rest may be paraphrased.
const WORDS_PERCENT: usize = 60;

/// Characters between two words of one sentence; after any other, a capital may begin a sentence.
const INSIDE: &[char] = &[' ', ',', '\'', '\u{2019}', '-', '/', '&', '('];

/// Whether a text holds an identifier on its own, not inside a longer word or number.
pub(super) fn holds(text: &str, identifier: &str) -> bool {
    let stands_alone = |at: usize| {
        let before = text.get(..at).unwrap_or_default();
        let after = text.get(at + identifier.len()..).unwrap_or_default();
        !goes_on(before.chars().rev(), identifier.chars().next())
            && !goes_on(after.chars(), identifier.chars().next_back())
    };
    !identifier.is_empty()
        && text
            .match_indices(identifier)
            .any(|(at, _)| stands_alone(at))
}

/// Whether the characters beyond an edge continue the same word or number.
fn goes_on(mut beyond: impl Iterator<Item = char>, edge: Option<char>) -> bool {
    let Some(next) = beyond.next() else {
        return false;
    };
    let is_word =
        |character: char| character.is_alphanumeric() && !is_chinese_or_japanese(character);
    let ends_in_word = edge.is_some_and(is_word);
    let ends_in_digit = edge.is_some_and(|edge| edge.is_ascii_digit());
    let is_point = matches!(next, '.' | ',');
    ends_in_word && is_word(next)
        || ends_in_digit && is_point && beyond.next().is_some_and(|far| far.is_ascii_digit())
}

/// What a text must hold to express a sentence.
pub(super) struct Needs {
    /// Its figures and identifiers, verbatim.
    exact: Vec<String>,
    /// Its names, in lower case.
    names: BTreeSet<String>,
    words: BTreeSet<String>,
    /// Its distinctive words, which no other sentence has.
    own: BTreeSet<String>,
}

impl Needs {
    /// The needs of `sentence`, distinct from the `others`.
    pub(super) fn of<'a>(sentence: &str, others: impl Iterator<Item = &'a str>) -> Self {
        let words = words(sentence);
        let mut own = words.clone();
        // A sentence and a message that contains it are not two statements.
        for other in others.filter(|other| !other.contains(sentence) && !sentence.contains(other)) {
            let shared = self::words(other);
            own.retain(|word| !shared.contains(word));
        }
        Self {
            exact: exact(sentence),
            names: names(sentence),
            words,
            own,
        }
    }

    /// Whether a text, given with its words, holds all names, figures and identifiers, and most words.
    pub(super) fn are_met(&self, text: &str, words_of_text: &TextWords) -> bool {
        let holds_most = |wanted: &BTreeSet<String>| {
            let n_found = wanted.intersection(&words_of_text.telling).count();
            n_found * 100 >= wanted.len() * WORDS_PERCENT
        };
        self.exact.iter().all(|mark| holds(text, mark))
            && self.names.is_subset(&words_of_text.all)
            && holds_most(&self.words)
            && holds_most(&self.own)
    }
}

/// The words of a text, in lower case.
pub(super) struct TextWords {
    all: BTreeSet<String>,
    telling: BTreeSet<String>,
}

impl TextWords {
    /// The words of `text`.
    pub(super) fn of(text: &str) -> Self {
        Self {
            all: base::words(text).map(str::to_lowercase).collect(),
            telling: words(text),
        }
    }
}

/// The significant words; for scripts without spaces between words, and for Hangul, all pairs of adjacent
/// characters.
fn words(text: &str) -> BTreeSet<String> {
    let lower = text.to_lowercase();
    let spaced = lower
        .split(|character: char| !character.is_alphanumeric() || is_unspaced(character))
        .filter(|word| {
            word.chars().count() >= WORD_CHARS_MIN || word.bytes().any(|byte| byte.is_ascii_digit())
        })
        .map(str::to_owned);
    let characters: Vec<char> = lower.chars().collect();
    let pairs = characters.windows(2).filter_map(|pair| {
        let is_pair = pair.iter().all(|character| is_unspaced(*character));
        is_pair.then(|| pair.iter().collect())
    });
    spaced.chain(pairs).collect()
}

/// The identifiers of a sentence, and its other words with a digit.
fn exact(sentence: &str) -> Vec<String> {
    let mut exact: Vec<String> = identifiers(sentence)
        .iter()
        .map(|found| found.text.to_owned())
        .collect();
    let words =
        sentence.split(|character: char| !character.is_alphanumeric() || is_unspaced(character));
    for figure in words.filter(|word| word.chars().any(char::is_numeric)) {
        if !exact.iter().any(|known| known.contains(figure)) {
            exact.push(figure.to_owned());
        }
    }
    exact
}

/// The capitalised words, in lower case, except at the beginning of a sentence.
fn names(sentence: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut is_inside = false;
    for part in sentence.split_inclusive(|character: char| !character.is_alphanumeric()) {
        let word = part.trim_end_matches(|character: char| !character.is_alphanumeric());
        // A single capital letter is as often a pronoun as a name.
        if is_inside && word.contains(char::is_uppercase) && word.chars().nth(1).is_some() {
            found.insert(word.to_lowercase());
        }
        let end = part.chars().next_back();
        let goes_on = end.is_some_and(|end| end.is_alphanumeric() || INSIDE.contains(&end));
        is_inside = goes_on && (is_inside || !word.is_empty());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identifier_is_held_only_where_it_stands_whole() {
        let text = "Use src/lib.rs at 15.5% or 1.2.3; port 80, \u{65e5}5.3\u{65e5} and a_b.";
        for held in ["src/lib.rs", "lib.rs", "15.5%", "1.2.3", "80", "5.3", "a_b"] {
            assert!(holds(text, held), "{held}");
        }
        for missing in ["5%", "15", "1.2", "2.3", "8", "lib", "", "sr"] {
            let is_word_of_path = missing == "lib";
            assert_eq!(holds(text, missing), is_word_of_path, "{missing}");
        }
    }

    fn is_held(text: &str, sentence: &str, others: &[&str]) -> bool {
        Needs::of(sentence, others.iter().copied()).are_met(text, &TextWords::of(text))
    }

    #[track_caller]
    fn held(text: &str, sentence: &str, others: &[&str]) {
        assert!(is_held(text, sentence, others), "{sentence}");
    }

    #[track_caller]
    fn missed(text: &str, sentence: &str, others: &[&str]) {
        assert!(!is_held(text, sentence, others), "{sentence}");
    }

    #[test]
    fn a_sentence_is_held_by_its_words() {
        let text =
            "We settled on RS256 for the tokens of auth-service. \u{660e}\u{65e5}\u{51fa}\u{53d1}";
        held(text, "tokens are for RS256", &[]);
        missed(text, "which database holds the invoices?", &[]);
        held(text, "\u{660e}\u{65e5}\u{51fa}\u{53d1}", &[]);
        missed(text, "\u{4eca}\u{5929}\u{4f11}\u{606f}", &[]);
    }

    #[test]
    fn a_name_a_figure_or_an_identifier_that_is_missing_is_missed() {
        let text = "the invoices are sent to anna on the first day";
        held(text, "the invoices are sent to Anna on the first day", &[]);
        for other in [
            "the invoices are sent to Bert on the first day",
            "the 3 invoices are sent to Anna on the first day",
            "the invoices are sent to Anna by B12 on the first day",
            "the invoices are sent to a@b.example on the first day",
        ] {
            missed(text, other, &[]);
        }
    }

    #[test]
    fn a_capital_makes_a_name_only_inside_a_sentence() {
        let found: Vec<String> =
            names("Yes. Send it to Dr. Weber, I think, in \u{c9}vora: Today, iOS first")
                .into_iter()
                .collect();
        assert_eq!(found, ["dr", "ios", "\u{e9}vora"]);
    }

    #[test]
    fn a_sentence_needs_the_words_that_no_other_one_has() {
        let lisbon = "take the night train to lisbon";
        let porto = "take the night train to porto";
        held(lisbon, lisbon, &[porto]);
        missed(lisbon, porto, &[lisbon]);
        // The message around a sentence takes nothing of it away.
        held(lisbon, lisbon, &["so take the night train to lisbon"]);
        let in_lisbon = "\u{d68c}\u{c758}\u{b294} \u{b9ac}\u{c2a4}\u{bcf8}\u{c5d0}\u{c11c}";
        let in_porto = "\u{d68c}\u{c758}\u{b294} \u{d3ec}\u{b974}\u{d22c}\u{c5d0}\u{c11c}";
        held(in_lisbon, in_lisbon, &[in_porto]);
        missed(in_lisbon, in_porto, &[in_lisbon]);
    }
}
