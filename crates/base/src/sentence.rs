//! Splits text into sentences in any script. The stop after an abbreviation, initial or ordinal does not end a
//! sentence.
//!
//! Does not parse Markdown, and adds no characters.

use unicode_segmentation::UnicodeSegmentation;

use crate::dates::is_month;
use crate::text::QUESTION_MARKS;

/// Maximum characters of an abbreviation.
const ABBREVIATION_CHARS_MAX: usize = 4;

/// The last Latin letter.
const LATIN_MAX: char = '\u{24f}';

/// The sentences of a paragraph, in order and trimmed.
///
/// # Examples
///
/// ```
/// let found = base::sentences("I live on St. Marks Place. Dr. Who lives in No. 4!");
/// assert_eq!(found, ["I live on St. Marks Place.", "Dr. Who lives in No. 4!"]);
/// ```
pub fn sentences(paragraph: &str) -> Vec<&str> {
    let mut spans: Vec<(usize, usize)> = Vec::new();
    for (at, piece) in paragraph.split_sentence_bound_indices() {
        let end = at + piece.len();
        match spans.last_mut() {
            Some((start, last))
                if is_inside(text(paragraph, *start, *last), piece)
                    || goes_on(text(paragraph, *start, *last).trim_end(), piece) =>
            {
                *last = end;
            }
            _ => spans.push((at, end)),
        }
    }
    let found = spans.into_iter();
    let found = found.flat_map(|(start, end)| written_small(text(paragraph, start, end)));
    let found = found.map(str::trim);
    found
        .filter(|it| it.contains(char::is_alphanumeric))
        .collect()
}

/// Also splits before a lower-case word, where the rules of Unicode find no sentence boundary.
fn written_small(sentence: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, stop) in sentence.match_indices(". ") {
        let end = at + stop.len();
        let before = text(sentence, start, end);
        let after = text(sentence, end, sentence.len());
        let word = last_word(before.trim_end());
        let is_word = word.chars().count() > ABBREVIATION_CHARS_MAX + 1
            || !text(sentence, 0, end).contains(char::is_uppercase);
        let is_plain = word.trim_end_matches('.').chars().all(char::is_alphabetic);
        let goes_on_small = after.starts_with(char::is_lowercase);
        if is_word && is_plain && goes_on_small && !goes_on(before.trim_end(), after) {
            found.push(before);
            start = end;
        }
    }
    found.push(text(sentence, start, sentence.len()));
    found
}

fn last_word(piece: &str) -> &str {
    let word = piece.rsplit(' ').next().unwrap_or_default();
    word.trim_start_matches('(')
}

fn text(paragraph: &str, start: usize, end: usize) -> &str {
    paragraph.get(start..end).unwrap_or_default()
}

/// Whether every sentence of a text ends in a question mark.
///
/// # Examples
///
/// ```
/// assert!(base::only_asks("Where do I live? Since when?"));
/// assert!(!base::only_asks("I live in Bern. Where do you live?"));
/// ```
pub fn only_asks(text: &str) -> bool {
    let mut found = text.lines().flat_map(sentences).peekable();
    // Splitting is slow, and most texts contain no question mark.
    text.contains(QUESTION_MARKS)
        && found.peek().is_some()
        && found.all(|it| it.ends_with(QUESTION_MARKS))
}

/// Whether the mark that ends `piece` is inside a word, an address or a password, with no space after it.
fn is_inside(piece: &str, next: &str) -> bool {
    piece.ends_with(['.', '!', '?']) && next.starts_with(|c: char| c.is_ascii_alphanumeric())
}

/// Whether the sentence continues after the full stop that ends `piece`.
fn goes_on(piece: &str, next: &str) -> bool {
    if !next.chars().any(char::is_alphanumeric) {
        return true;
    }
    let Some(word) = last_word(piece).strip_suffix('.') else {
        return false;
    };
    let is_initial =
        word != "I" && word.chars().count() == 1 && word.chars().all(char::is_uppercase);
    let is_ordinal =
        (1..=2).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit());
    let mut next_words = next.split(|c: char| !c.is_alphabetic());
    let next_word = next_words.next().unwrap_or_default();
    is_initial || is_ordinal && is_month(next_word) || is_abbreviation(word, next)
}

/// Whether the word before a full stop is an abbreviation: it is short and has no vowel, has a stop inside, or comes
/// before a number.
fn is_abbreviation(word: &str, next: &str) -> bool {
    let is_word = word.chars().all(|it| it.is_alphabetic() || it == '.');
    if word.is_empty() || !is_word {
        return false;
    }
    let is_short = word.chars().count() <= ABBREVIATION_CHARS_MAX;
    let is_vowel = |it| "aeiouy".contains(crate::plain_letter(it));
    let has_vowel = word.chars().flat_map(char::to_lowercase).any(is_vowel);
    let is_latin = word.chars().all(|it| it == '.' || it <= LATIN_MAX);
    let before_number = next.starts_with(|it: char| it.is_ascii_digit());
    let has_stop = word.contains('.');
    let is_code = word.chars().all(char::is_uppercase);
    is_latin && (has_stop || is_short && (before_number || !has_vowel && !is_code))
}

/// A line without the sentences for which `is_kept` returns false; the rest is unchanged. `None` if all sentences are
/// kept.
pub fn without_sentences(line: &str, is_kept: &dyn Fn(&str) -> bool) -> Option<String> {
    let mut left = String::new();
    let mut is_whole = true;
    let mut rest = line;
    for sentence in sentences(line) {
        let Some(at) = rest.find(sentence) else {
            continue;
        };
        let (gap, found) = rest.split_at(at);
        rest = found.get(sentence.len()..).unwrap_or_default();
        if is_kept(sentence) {
            left.push_str(gap);
            left.push_str(sentence);
        } else {
            is_whole = false;
        }
    }
    left.push_str(rest);
    (!is_whole).then(|| left.trim_end().to_owned())
}

#[cfg(test)]
#[path = "sentence_tests.rs"]
mod tests;
