//! Compares wordings: equality, similarity and topic.
//!
//! Works on characters and tokens, independent of the language.

use std::collections::{BTreeMap, BTreeSet};

use base::Script;

use crate::figures::figures;
use crate::quote::letters_at;

/// The first character of the scripts without spaces between words.
const DENSE_FROM: char = '\u{2e80}';

/// Texts that share this percentage of their tokens, and all numbers, say the same.
const SAME_PERCENT: usize = 88;

/// Lowercases a text and removes all but letters and digits.
pub(crate) fn bare(text: &str) -> String {
    let lower = text.chars().flat_map(char::to_lowercase);
    lower.filter(|c| c.is_alphanumeric()).collect()
}

/// The words of `text` that `quote` repeats but for case, punctuation and spacing; `quote` itself if there are none.
pub(crate) fn as_said<'t>(text: &'t str, quote: &'t str) -> &'t str {
    let (places, letters) = letters_at(text);
    let wanted: Vec<char> = bare(quote).chars().collect();
    let found = || {
        let n_wanted = wanted.len();
        let first = letters
            .windows(n_wanted.max(1))
            .position(|own| own == wanted)?;
        let start = *places.get(first)?;
        let last = *places.get((first + n_wanted).checked_sub(1)?)?;
        // The marks that end the sentence belong to it.
        let behind = text.get(last..)?.char_indices().skip(1);
        let mut behind = behind.skip_while(|(_, it)| SENTENCE_ENDS.contains(it));
        let end = behind.next().map_or(text.len(), |(at, _)| last + at);
        text.get(start..end)
    };
    found().unwrap_or(quote)
}

/// Marks that end a sentence.
const SENTENCE_ENDS: [char; 7] = [
    '.', '!', '?', '\u{2026}', '\u{3002}', '\u{ff01}', '\u{ff1f}',
];

/// Whether a word is in a script without spaces.
pub(crate) fn is_dense_word(word: &str) -> bool {
    word.chars().any(is_dense)
}

pub(crate) fn is_dense(c: char) -> bool {
    c >= DENSE_FROM && c.is_alphanumeric()
}

/// The lowercase words of a text; in scripts without spaces, each pair of letters.
pub(crate) fn tokens(text: &str) -> BTreeSet<String> {
    pieces(text, 2).collect()
}

/// The lowercase words of a text; in scripts without spaces, each run of `n_letters` letters.
fn pieces(text: &str, n_letters: usize) -> impl Iterator<Item = String> {
    words(text).flat_map(move |word| {
        let lower = word.to_lowercase();
        if !is_dense_word(&lower) {
            return vec![lower];
        }
        let letters: Vec<char> = lower.chars().collect();
        let runs = letters.windows(n_letters);
        runs.map(|run| run.iter().collect()).collect()
    })
}

/// The words of a text, in order: runs of letters, digits and apostrophes.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '\u{2019}')
        .map(|word| word.trim_matches(['\'', '\u{2019}']))
        .filter(|word| !word.is_empty())
}

/// The lowercase words of a text in order; in scripts without spaces, each letter.
fn sequence(text: &str) -> Vec<String> {
    pieces(text, 1).collect()
}

/// Whether a claim keeps the word order of a text, which may decide who does what to whom. A part may move from one end
/// to the other, as in `In May I moved` and `I moved in May`.
pub fn keeps_word_order(text: &str, claim: &str) -> bool {
    let (said, claimed) = (sequence(text), sequence(claim));
    let is_once =
        |all: &[String], word: &String| all.iter().filter(|other| *other == word).count() == 1;
    let places: Vec<usize> = claimed
        .iter()
        .filter(|word| is_once(&said, word) && is_once(&claimed, word))
        .filter_map(|word| said.iter().position(|other| other == word))
        .collect();
    let n_descents = places.windows(2).filter(|pair| pair.first() > pair.last());
    match n_descents.count() {
        0 => true,
        // A rotation: the part moved to the end preceded all the rest.
        1 => places.last() < places.first(),
        _ => false,
    }
}

/// End a clause if whitespace or the end of the text follows. Not the colon: text before it governs text after it.
const CLAUSE_ENDS: [char; 6] = ['.', ',', ';', '!', '?', '\n'];

/// End a clause in scripts without spaces.
const DENSE_CLAUSE_ENDS: [char; 6] = [
    '\u{3001}', '\u{3002}', '\u{ff01}', '\u{ff0c}', '\u{ff1b}', '\u{ff1f}',
];

/// A quote as in a text, extended by up to this many words of its clauses before and after it; the quote itself if the
/// text does not contain it.
pub(crate) fn widened<'a>(
    text: &'a str,
    quote: &'a str,
    (n_before, n_behind): (usize, usize),
) -> &'a str {
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
    let first = start - extent(clause.chars().rev(), n_before);
    let mut marks = behind.char_indices();
    let closing = marks.find(|(at, c)| ends_clause(behind, *at, *c));
    let closing = closing.map_or(behind.len(), |(at, _)| at);
    let clause = behind.get(..closing).unwrap_or_default();
    let last = end + extent(clause.chars(), n_behind);
    text.get(first..last).unwrap_or(quote).trim()
}

/// The clauses of a text.
pub(crate) fn clauses(text: &str) -> impl Iterator<Item = &str> {
    let ends = |c: char| DENSE_CLAUSE_ENDS.contains(&c) || CLAUSE_ENDS.contains(&c);
    text.split(ends).filter(|clause| !clause.trim().is_empty())
}

/// The clauses of a text that contain a quote.
pub fn clauses_of<'a>(text: &'a str, quote: &'a str) -> &'a str {
    widened(text, quote, (usize::MAX, usize::MAX))
}

/// The length in bytes of the first `n_words` words; two letters of a script without spaces count as a word.
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

/// The byte range of a quote in a text, ignoring case, punctuation and spacing.
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

/// A text split for comparing it with many others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wording {
    bare: String,
    tokens: BTreeSet<String>,
    figures: BTreeSet<String>,
}

impl Wording {
    pub(crate) fn of(text: &str) -> Self {
        Self {
            bare: bare(text),
            tokens: tokens(text),
            figures: figures(text),
        }
    }

    /// Whether two texts have the same wording, ignoring case, punctuation and spacing.
    pub(crate) fn is_alike(&self, other: &Self) -> bool {
        self.bare == other.bare
    }

    /// Whether two texts have nearly the same wording and the same numbers.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        if self.is_alike(other) {
            return true;
        }
        let (n_own, n_other) = (self.tokens.len(), other.tokens.len());
        // Of sets that differ so much in size, too little can be shared.
        if self.figures != other.figures
            || 100 * n_own.min(n_other) < SAME_PERCENT * n_own.max(n_other)
        {
            return false;
        }
        let n_shared = self.tokens.intersection(&other.tokens).count();
        let n_all = n_own + n_other - n_shared;
        n_all > 0 && 100 * n_shared >= SAME_PERCENT * n_all
    }
}

/// Whether two texts share a significant word, a stem or a name; in scripts without spaces, a pair of letters that are
/// not both hiragana. Ignores the lowercase words in `common`.
pub(crate) fn shares_word(left: &str, right: &str, common: &BTreeSet<String>) -> bool {
    let is_ending = |pair: &str| pair.chars().all(|c| Script::of(c) == Script::Hiragana);
    let others: BTreeSet<String> = tokens(right).difference(common).cloned().collect();
    let is_shared = |word: &String| {
        if is_dense_word(word) {
            return !is_ending(word) && others.contains(word);
        }
        word.chars().count() >= TELLING_CHARS_MIN
            && (holds_word(&others, word) || others.iter().any(|other| begin_alike(word, other)))
    };
    let (capital, other_capital) = (capitals(left), capitals(right));
    let mut named = capital.iter().filter(|(name, _)| {
        name.chars().count() >= NAME_CHARS_MIN && !common.contains(&name.to_lowercase())
    });
    // A word that starts both texts may be capitalised for that reason alone.
    let shares_name = named.any(|(name, opens)| {
        other_capital
            .get(name)
            .is_some_and(|other| !(*opens && *other))
    });
    shares_name || tokens(left).difference(common).any(is_shared)
}

/// Whether a text may be about the subject of a claim: whether it shares a significant word with the claim that is
/// neither a number nor the unit after one.
pub(crate) fn shares_subject(claim: &str, text: &str, common: &BTreeSet<String>) -> bool {
    let claim = without_amounts(claim);
    if shares_word(&claim, text, common) {
        return true;
    }
    // Without stop words, a short word says nothing.
    let is_short = |word: &String| {
        !common.is_empty() && word.chars().count() + 1 == TELLING_CHARS_MIN && !is_dense_word(word)
    };
    let others = tokens(text);
    let claimed = tokens(&claim).into_iter();
    let mut short = claimed.filter(|word| is_short(word) && !common.contains(word));
    short.any(|word| others.contains(&word))
}

/// A text without its numbers and the word after each, which may be its unit; in scripts without spaces, the two
/// letters after it.
fn without_amounts(text: &str) -> String {
    const DENSE_UNIT_CHARS: usize = 2;
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_numeric()) {
        let (before, number) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(before);
        out.push(' ');
        let behind = number.trim_start_matches(|c: char| c.is_numeric());
        let unit = behind.trim_start_matches(char::is_whitespace);
        rest = if unit.starts_with(is_dense) {
            let mut chars = unit.char_indices().skip(DENSE_UNIT_CHARS);
            chars
                .next()
                .map_or("", |(at, _)| unit.get(at..).unwrap_or_default())
        } else {
            unit.trim_start_matches(|c: char| c.is_alphabetic() && !is_dense(c))
        };
    }
    out.push_str(rest);
    out
}

/// Minimum length of a name in characters.
const NAME_CHARS_MIN: usize = 3;

/// Whether two words share a stem of at least half the longer word.
fn begin_alike(left: &str, right: &str) -> bool {
    const STEM_CHARS_MIN: usize = 3;
    let (n_left, n_right) = (left.chars().count(), right.chars().count());
    let n_common = n_alike(left, right);
    n_left.min(n_right) > TELLING_CHARS_MIN
        && n_common >= STEM_CHARS_MIN
        && 2 * n_common >= n_left.max(n_right)
}

/// The capitalised words, each with whether it starts the text.
fn capitals(text: &str) -> BTreeMap<&str, bool> {
    let places = words(text).enumerate();
    let found = places.filter(|(_, word)| word.chars().next().is_some_and(char::is_uppercase));
    found.map(|(place, word)| (word, place == 0)).collect()
}

/// A word in more texts than this, and in more than a quarter of them, does not distinguish any.
pub(crate) const COMMON_MAX: usize = 3;

/// Indexes of the texts that may be about the same thing as `text`: half of the significant words of the shorter one
/// are in the other.
pub fn near(text: &str, others: &[&str]) -> Vec<usize> {
    let is_telling = |word: &String| {
        let is_ending = word.chars().all(|c| Script::of(c) == Script::Hiragana);
        !is_ending && (is_dense_word(word) || word.chars().count() >= TELLING_CHARS_MIN)
    };
    let all: Vec<BTreeSet<String>> = others.iter().map(|other| tokens(other)).collect();
    let n_max = COMMON_MAX.max(others.len() / 4);
    let is_rare =
        |word: &String| all.iter().filter(|other| holds_word(other, word)).count() <= n_max;
    let rare = |words: &BTreeSet<String>| -> BTreeSet<String> {
        words
            .iter()
            .filter(|word| is_telling(word) && is_rare(word))
            .cloned()
            .collect()
    };
    let own = rare(&tokens(text));
    let is_near = |other: &BTreeSet<String>| {
        let other = rare(other);
        let n_shared = own.iter().filter(|word| holds_word(&other, word)).count();
        n_shared > 0 && 2 * n_shared >= own.len().min(other.len())
    };
    all.iter()
        .enumerate()
        .filter(|(_, other)| is_near(other))
        .map(|(place, _)| place)
        .collect()
}

/// Number of leading letters that serve as the stem of a word.
const STEM_CHARS: usize = 5;

/// Indexes of the texts, ranked by how many rare words they share with `text`; later texts first on ties.
pub(crate) fn nearest_first(text: &str, others: &[&str]) -> Vec<usize> {
    let stems = |text: &str| -> BTreeSet<String> {
        let words = tokens(text).into_iter();
        words
            .map(|word| word.chars().take(STEM_CHARS).collect())
            .collect()
    };
    let own = stems(text);
    let mut n_texts: BTreeMap<String, f64> = BTreeMap::new();
    let shared: Vec<Vec<String>> = others
        .iter()
        .map(|other| stems(other).intersection(&own).cloned().collect())
        .collect();
    for stem in shared.iter().flatten() {
        *n_texts.entry(stem.clone()).or_default() += 1.0;
    }
    let worth = |stems: &Vec<String>| -> f64 {
        let rarity = stems.iter().filter_map(|stem| n_texts.get(stem));
        rarity.map(|n_texts| 1.0 / n_texts).sum()
    };
    let mut ranked: Vec<(f64, usize)> = shared.iter().map(worth).zip(0..).collect();
    ranked.sort_by(|left, right| right.0.total_cmp(&left.0).then(right.1.cmp(&left.1)));
    ranked.into_iter().map(|(_, place)| place).collect()
}

/// Whether a text contains each word of a claim, possibly with another ending; ignores numbers.
pub fn says_nothing_else(claim: &str, text: &str) -> bool {
    let known = tokens(text);
    let claimed = tokens(claim);
    let mut words = claimed
        .iter()
        .filter(|word| word.chars().any(char::is_alphabetic));
    words.all(|word| holds_word(&known, word))
}

/// Whether a text contains a name, possibly with another ending or inside a longer word.
pub(crate) fn holds_name(text: &str, name: &str) -> bool {
    if is_dense_word(name) {
        return bare(text).contains(name);
    }
    holds_word(&tokens(text), name)
}

/// Minimum length of a significant word in characters.
const TELLING_CHARS_MIN: usize = 4;

/// The words of a claim that are not known, without `common` ones and numbers, and how many they count as.
pub(crate) fn new_words(
    claim: &str,
    known: &BTreeSet<String>,
    common: &BTreeSet<String>,
) -> (Vec<String>, usize) {
    let new: Vec<String> = tokens(claim)
        .into_iter()
        .filter(|word| word.chars().any(char::is_alphabetic))
        .filter(|word| !common.contains(word) && !holds_word(known, word))
        .collect();
    let n_dense = new.iter().filter(|word| is_dense_word(word)).count();
    // Pairs of letters overlap: three new ones count as one word.
    let n_new = new.len() - n_dense + n_dense / 3;
    (new, n_new)
}

/// A claim that shares this percentage of its words with its quote keeps its wording. Lower for pairs of letters,
/// because a changed word changes several.
const KEPT_PERCENT: usize = 51;
const KEPT_DENSE_PERCENT: usize = 33;

/// Whether a claim is worded like its quote, so that a single word may change its meaning.
pub(crate) fn keeps_words(claim: &str, quote: &str) -> bool {
    let known = tokens(quote);
    let telling =
        |word: &String| is_dense_word(word) || word.chars().count() + 1 >= TELLING_CHARS_MIN;
    let own: Vec<String> = tokens(claim).into_iter().filter(telling).collect();
    let n_held = own.iter().filter(|word| holds_word(&known, word)).count();
    let percent = if is_dense_word(claim) {
        KEPT_DENSE_PERCENT
    } else {
        KEPT_PERCENT
    };
    100 * n_held >= percent * own.len()
}

/// Whether a text contains a word, possibly with another ending or in a compound.
pub(crate) fn holds_word(text_tokens: &BTreeSet<String>, word: &str) -> bool {
    const STEM_CHARS_MIN: usize = 4;
    let n_chars = word.chars().count();
    let is_held = |own: &String| {
        let n_own = own.chars().count();
        let n_common = n_alike(own, word);
        let shares_stem = n_common >= STEM_CHARS_MIN && n_common + 3 >= n_chars.max(n_own);
        let is_compound = n_chars.min(n_own) > STEM_CHARS_MIN
            && (own.ends_with(word) || word.ends_with(own.as_str()));
        shares_stem || is_compound || is_with_s(own, word) || is_with_s(word, own)
    };
    text_tokens.contains(word) || text_tokens.iter().any(is_held)
}

/// Number of leading letters that two words share.
fn n_alike(left: &str, right: &str) -> usize {
    let pairs = left.chars().zip(right.chars());
    pairs.take_while(|(left, right)| left == right).count()
}

/// Whether a word is `bare` followed by `s` or `'s`.
fn is_with_s(word: &str, bare: &str) -> bool {
    let end = word.strip_prefix(bare);
    end.is_some_and(|end| end.trim_start_matches(['\'', '\u{2019}']) == "s")
}

#[cfg(test)]
#[path = "wording_tests.rs"]
mod tests;
