//! Checks whether a text contains an identifier or the words of a sentence.
//!
//! Compares characters and words only.

use std::collections::BTreeSet;

use base::identifier::{identifiers, is_chinese_or_japanese};
use base::is_unspaced;

/// Shorter words carry little meaning.
const WORD_CHARS_MIN: usize = 4;

/// Share of a sentence's words that a text must contain, in hundredths; the rest may be paraphrased.
const WORDS_PERCENT: usize = 60;

/// Whether a text contains an identifier on its own, not inside a longer word or number.
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

/// Whether a text contains the identifiers of a sentence and most of its words.
pub(super) fn says(text: &str, sentence: &str) -> bool {
    let (wanted, said) = (words(sentence), words(text));
    let n_found = wanted.intersection(&said).count();
    n_found * 100 >= wanted.len() * WORDS_PERCENT
        && identifiers(sentence)
            .iter()
            .all(|found| holds(text, found.text))
}

/// The significant words. For Hangul and for scripts without spaces between words: all pairs of adjacent characters.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifier_counts_only_as_whole_word() {
        let text = "Use src/lib.rs at 15.5% or 1.2.3; port 80, \u{65e5}5.3\u{65e5} and a_b.";
        for held in ["src/lib.rs", "lib.rs", "15.5%", "1.2.3", "80", "5.3", "a_b"] {
            assert!(holds(text, held), "{held}");
        }
        for missing in ["5%", "15", "1.2", "2.3", "8", "lib", "", "sr"] {
            let is_word_of_path = missing == "lib";
            assert_eq!(holds(text, missing), is_word_of_path, "{missing}");
        }
    }

    #[test]
    fn sentence_is_said_by_its_identifiers_and_most_of_its_words() {
        let text =
            "We settled on RS256 for the tokens of auth-service. \u{660e}\u{65e5}\u{51fa}\u{53d1}";
        for (sentence, is_said) in [
            ("tokens are for RS256", true),
            ("tokens are for HS256", false),
            ("which database holds the invoices?", false),
            ("\u{660e}\u{65e5}\u{51fa}\u{53d1}", true),
            ("\u{4eca}\u{5929}\u{4f11}\u{606f}", false),
        ] {
            assert_eq!(says(text, sentence), is_said, "{sentence}");
        }
    }
}
