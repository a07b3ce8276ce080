//! Compares wordings: the same text, nearly the same text, and which figures and names a text holds.
//!
//! Goes by characters and tokens; knows no language.

use std::collections::BTreeSet;

/// Letters from here on belong to scripts without blanks between words.
const DENSE_FROM: char = '\u{2e80}';

/// Texts that share so many hundredths of their tokens, and all figures, say the same.
const SAME_PERCENT: usize = 88;

/// A text with case, quotation marks, punctuation and spacing taken out.
pub(crate) fn bare(text: &str) -> String {
    let lower = text.chars().flat_map(char::to_lowercase);
    lower.filter(|c| c.is_alphanumeric()).collect()
}

/// How many words a text has; scripts without blanks count two characters as one.
pub(crate) fn n_words(text: &str) -> usize {
    let n_dense = text.chars().filter(|c| is_dense(*c)).count();
    let has_letter = |word: &&str| word.chars().any(|c| c.is_alphanumeric() && !is_dense(c));
    n_dense.div_ceil(2) + text.split_whitespace().filter(has_letter).count()
}

fn is_dense(c: char) -> bool {
    c >= DENSE_FROM && c.is_alphanumeric()
}

/// The words of a text in lower case; of scripts without blanks each two letters.
pub(crate) fn tokens(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for word in words(text) {
        let lower = word.to_lowercase();
        let letters: Vec<char> = lower.chars().collect();
        if letters.iter().any(|c| is_dense(*c)) {
            found.extend(
                letters
                    .windows(2)
                    .map(|pair| pair.iter().collect::<String>()),
            );
        } else {
            found.insert(lower);
        }
    }
    found
}

/// The runs of letters and digits, in order.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '\u{2019}')
        .map(|word| word.trim_matches(['\'', '\u{2019}']))
        .filter(|word| !word.is_empty())
}

/// Whether two texts say the same in nearly the same words.
pub(crate) fn is_same(left: &str, right: &str) -> bool {
    if bare(left) == bare(right) {
        return true;
    }
    let (own, other) = (tokens(left), tokens(right));
    let n_shared = own.intersection(&other).count();
    let n_all = own.union(&other).count();
    n_all > 0 && 100 * n_shared >= SAME_PERCENT * n_all && figures(left) == figures(right)
}

/// How many tokens two texts share.
pub(crate) fn n_shared(left: &BTreeSet<String>, right: &BTreeSet<String>) -> usize {
    left.intersection(right).count()
}

/// The numbers of a text, without leading zeros; a separator between three digits joins, any other parts.
pub(crate) fn figures(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let chars: Vec<char> = text.chars().collect();
    let digit = |idx: usize| chars.get(idx).and_then(|c| c.to_digit(10));
    let mut idx = 0;
    while idx < chars.len() {
        if digit(idx).is_none() {
            idx += 1;
            continue;
        }
        let mut number = String::new();
        loop {
            while let Some(value) = digit(idx) {
                number.extend(char::from_digit(value, 10));
                idx += 1;
            }
            let joins = matches!(
                chars.get(idx),
                Some(',' | '.' | '\'' | '\u{2019}' | '\u{202f}')
            );
            let is_group = (1..=3).all(|n| digit(idx + n).is_some()) && digit(idx + 4).is_none();
            if !joins || !is_group {
                break;
            }
            idx += 1;
        }
        let plain = number.trim_start_matches('0');
        found.insert(if plain.is_empty() { "0" } else { plain }.to_owned());
    }
    found
}

/// Addresses, paths and the like, which stand in evidence to the letter: words with a sign of that kind inside, and
/// words of letters and digits.
pub(crate) fn identifiers(text: &str) -> BTreeSet<String> {
    let is_edge = |c: char| !c.is_alphanumeric() && !matches!(c, '/' | '~' | '@' | '#' | '_');
    let pieces = text
        .split_whitespace()
        .map(|word| word.trim_matches(is_edge));
    let found = pieces.filter(|word| {
        let inner: Vec<char> = word.chars().collect();
        let has_sign = inner
            .iter()
            .any(|c| matches!(c, '@' | '/' | '\\' | '_' | '#'))
            || word.trim_matches('.').contains('.') && word.chars().any(char::is_alphabetic);
        let is_mixed = inner.iter().any(char::is_ascii_digit)
            && inner.iter().any(|c| c.is_alphabetic() && !is_dense(*c));
        word.chars().any(char::is_alphanumeric) && (has_sign || is_mixed)
    });
    found.map(str::to_lowercase).collect()
}

/// Words that may be names: with a capital inside a sentence, and runs of katakana.
pub(crate) fn names(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut begins = true;
    for piece in text.split_inclusive(|c: char| c.is_whitespace()) {
        for word in words(piece) {
            let has_capital = word.chars().next().is_some_and(char::is_uppercase);
            if has_capital && !begins && word.chars().count() > 1 {
                found.insert(word.to_lowercase());
            }
            begins = false;
        }
        let ends = piece.trim_end();
        begins |= ends.ends_with(['.', '!', '?', ':', '\u{3002}', '\u{ff01}', '\u{ff1f}']);
    }
    let is_katakana = |c: char| ('\u{30a1}'..='\u{30fc}').contains(&c);
    let runs = text.split(|c: char| !is_katakana(c));
    found.extend(
        runs.filter(|run| run.chars().count() > 1)
            .map(str::to_owned),
    );
    found
}

/// The first word of a text, which is written with a capital whether it is a name or not.
pub(crate) fn first_word(text: &str) -> Option<String> {
    words(text).next().map(str::to_lowercase)
}

/// Whether so many words inside sentences have a capital that it tells no names, as in German.
pub(crate) fn capitalises_nouns(text: &str) -> bool {
    let n_all = words(text)
        .filter(|word| word.chars().any(char::is_alphabetic))
        .count();
    let n_capital = names(text).len();
    n_all >= 4 && 100 * n_capital >= 25 * n_all
}

/// Whether a word stands in a text, perhaps with another ending.
pub(crate) fn holds_word(text_tokens: &BTreeSet<String>, word: &str) -> bool {
    const STEM_CHARS_MIN: usize = 4;
    let n_chars = word.chars().count();
    let shares_stem = |own: &String| {
        let n_common = own
            .chars()
            .zip(word.chars())
            .take_while(|(a, b)| a == b)
            .count();
        n_common >= STEM_CHARS_MIN && n_common + 3 >= n_chars.max(own.chars().count())
    };
    let is_possessive = |own: &String| {
        own.strip_prefix(word)
            .is_some_and(|end| end.trim_start_matches(['\'', '\u{2019}']) == "s")
    };
    text_tokens.contains(word)
        || text_tokens
            .iter()
            .any(|own| shares_stem(own) || is_possessive(own))
        || word
            .strip_suffix("'s")
            .is_some_and(|plain| text_tokens.contains(plain))
        || word
            .strip_suffix("\u{2019}s")
            .is_some_and(|plain| text_tokens.contains(plain))
}

#[cfg(test)]
#[path = "wording_tests.rs"]
mod tests;
