//! Tells whether a text holds an identifier or says what a sentence says.
//!
//! Compares letters and words; understands nothing.

use std::collections::BTreeSet;

use base::identifier::is_unspaced;

/// Shorter words say little.
const WORD_CHARS_MIN: usize = 4;

/// A sentence is held where this many hundredths of its words are.
const WORDS_PERCENT: usize = 60;

/// Whether an identifier stands in a text, and not merely inside a longer word or number.
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

/// Whether the characters beyond an edge belong to the same word or number.
fn goes_on(mut beyond: impl Iterator<Item = char>, edge: Option<char>) -> bool {
    let Some(next) = beyond.next() else {
        return false;
    };
    let is_word = |character: char| character.is_alphanumeric() && !is_unspaced(character);
    let ends_in_word = edge.is_some_and(is_word);
    let ends_in_digit = edge.is_some_and(|edge| edge.is_ascii_digit());
    let is_point = matches!(next, '.' | ',');
    ends_in_word && is_word(next)
        || ends_in_digit && is_point && beyond.next().is_some_and(|far| far.is_ascii_digit())
}

/// Whether a text says what a sentence says, by the words that both share.
pub(super) fn says(words_of_text: &BTreeSet<String>, sentence: &str) -> bool {
    let wanted = words(sentence);
    let n_found = wanted.intersection(words_of_text).count();
    n_found * 100 >= wanted.len() * WORDS_PERCENT
}

/// The words that tell texts apart; where a script has no spaces, each two characters beside one another.
pub(super) fn words(text: &str) -> BTreeSet<String> {
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

    #[test]
    fn a_sentence_is_held_by_its_words() {
        let text = words(
            "We settled on RS256 for the tokens of auth-service. \u{660e}\u{65e5}\u{51fa}\u{53d1}",
        );
        assert!(says(&text, "tokens are for RS256"));
        assert!(!says(&text, "which database holds the invoices?"));
        assert!(says(&text, "\u{660e}\u{65e5}\u{51fa}\u{53d1}"));
        assert!(!says(&text, "\u{4eca}\u{5929}\u{4f11}\u{606f}"));
    }
}
