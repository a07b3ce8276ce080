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

/// Where so many hundredths of the words of a claim are those of its quote, it repeats the quote.
const REPEATS_PERCENT: usize = 80;

/// The words of a text in order and in lower case; of scripts without blanks each letter.
fn sequence(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for word in words(text) {
        let lower = word.to_lowercase();
        if lower.chars().any(is_dense) {
            found.extend(lower.chars().map(String::from));
        } else {
            found.push(lower);
        }
    }
    found
}

/// Whether a claim that repeats the words of its quote leaves them in their order; a part may move from one end to the
/// other, as in `In May I moved` and `I moved in May`. A claim in other words has no order to keep.
pub(crate) fn keeps_order(quote: &str, claim: &str) -> bool {
    let (quoted, claimed) = (sequence(quote), sequence(claim));
    let is_once =
        |all: &[String], word: &String| all.iter().filter(|other| *other == word).count() == 1;
    let n_repeated = claimed.iter().filter(|word| quoted.contains(word)).count();
    if 100 * n_repeated < REPEATS_PERCENT * claimed.len() {
        return true;
    }
    let places: Vec<usize> = claimed
        .iter()
        .filter(|word| is_once(&quoted, word) && is_once(&claimed, word))
        .filter_map(|word| quoted.iter().position(|other| other == word))
        .collect();
    let n_descents = places.windows(2).filter(|pair| pair.first() > pair.last());
    match n_descents.count() {
        0 => true,
        // A rotation: what was moved to the end stood before all the rest.
        1 => places.last() < places.first(),
        _ => false,
    }
}

/// Ends a clause, where a blank or the end follows; what stands before a colon governs what stands behind it.
const CLAUSE_ENDS: [char; 6] = ['.', ',', ';', '!', '?', '\n'];

/// Ends a clause in scripts without blanks.
const DENSE_CLAUSE_ENDS: [char; 6] = [
    '\u{3001}', '\u{3002}', '\u{ff01}', '\u{ff0c}', '\u{ff1b}', '\u{ff1f}',
];

/// A quote as it stands in a text, with at most so many words of its clauses before and behind it; the quote itself
/// where it does not stand there.
pub(crate) fn widened<'a>(text: &'a str, quote: &'a str, n_words: usize) -> &'a str {
    let Some((start, end)) = place_of(text, quote) else {
        return quote;
    };
    let before = text.get(..start).unwrap_or_default();
    let behind = text.get(end..).unwrap_or_default();
    let ends_clause = |text: &str, at: usize, c: char| {
        let next = text
            .get(at + c.len_utf8()..)
            .and_then(|rest| rest.chars().next());
        DENSE_CLAUSE_ENDS.contains(&c)
            || CLAUSE_ENDS.contains(&c) && next.is_none_or(char::is_whitespace)
    };
    let mut marks = before.char_indices().rev();
    let opening = marks.find(|(at, c)| ends_clause(before, *at, *c));
    let opening = opening.map_or(0, |(at, c)| at + c.len_utf8());
    let clause = before.get(opening..).unwrap_or_default();
    let first = start - extent(clause.chars().rev(), n_words);
    let mut marks = behind.char_indices();
    let closing = marks.find(|(at, c)| ends_clause(behind, *at, *c));
    let closing = closing.map_or(behind.len(), |(at, _)| at);
    let clause = behind.get(..closing).unwrap_or_default();
    let last = end + extent(clause.chars(), n_words);
    text.get(first..last).unwrap_or(quote).trim()
}

/// The whole clauses of a text that a quote stands in.
pub fn clauses_of<'a>(text: &'a str, quote: &'a str) -> &'a str {
    widened(text, quote, usize::MAX)
}

/// The bytes of these characters up to so many words.
fn extent(chars: impl Iterator<Item = char>, n_words: usize) -> usize {
    let (mut n_bytes, mut n_halves, mut is_inside) = (0, 0, false);
    for c in chars {
        if is_dense(c) {
            n_halves += 1;
            is_inside = false;
        } else if c.is_whitespace() {
            is_inside = false;
        } else if c.is_alphanumeric() && !is_inside {
            n_halves += 2;
            is_inside = true;
        }
        if n_halves > n_words.saturating_mul(2) {
            break;
        }
        n_bytes += c.len_utf8();
    }
    n_bytes
}

/// Where the characters of a quote stand in a text, in bytes.
fn place_of(text: &str, quote: &str) -> Option<(usize, usize)> {
    let quote: Vec<char> = bare(quote).chars().collect();
    let letters: Vec<(usize, usize, char)> = text
        .char_indices()
        .flat_map(|(at, c)| {
            c.to_lowercase()
                .map(move |lower| (at, at + c.len_utf8(), lower))
        })
        .filter(|(_, _, c)| c.is_alphanumeric())
        .collect();
    let found = letters
        .windows(quote.len().max(1))
        .find(|piece| piece.iter().map(|(_, _, c)| c).eq(&quote))?;
    Some((found.first()?.0, found.last()?.1))
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

/// Whether each word of a claim stands in a text, perhaps with another ending; figures are left aside.
pub fn says_nothing_else(claim: &str, text: &str) -> bool {
    let known = tokens(text);
    let claimed = tokens(claim);
    let mut words = claimed
        .iter()
        .filter(|word| word.chars().any(char::is_alphabetic));
    words.all(|word| holds_word(&known, word))
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
