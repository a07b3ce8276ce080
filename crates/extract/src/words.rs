//! The stems by which texts are compared.
//!
//! Uses library segmentation and stemming; for scripts without spaces, pairs of characters.

use std::collections::BTreeSet;

use base::Script;
use base::stem::Stemmer;
use unicode_segmentation::UnicodeSegmentation;

use crate::language::Language;

/// The distinct stems of the words that carry meaning.
pub(crate) fn stems(text: &str, language: Option<&Language>) -> BTreeSet<String> {
    let stemmer = language.and_then(|it| it.stemmer).map(Stemmer::new);
    let lower = text.to_lowercase().replace('\u{2019}', "'");
    let mut found = BTreeSet::new();
    let mut before: Option<char> = None;
    for word in lower.split_word_bounds() {
        let first = word.chars().next().filter(|it| it.is_alphanumeric());
        let Some(first) = first else {
            before = None;
            continue;
        };
        if Script::of(first) != Script::Other {
            for character in word.chars() {
                if let Some(before) = before {
                    found.extend(pair(before, character));
                }
                if Script::of(character) == Script::Han {
                    found.insert(character.to_string());
                }
                before = Some(character);
            }
            continue;
        }
        before = None;
        for part in word.split('\'') {
            let is_said = !part.is_empty() && !language.is_some_and(|it| it.is_stop(part));
            if is_said && !language.is_some_and(|it| it.is_stop(word)) {
                let stem = stemmer.as_ref().map(|it| it.stem(part).into_owned());
                found.insert(stem.unwrap_or_else(|| part.to_owned()));
            }
        }
    }
    let says_something = |it: char| it.is_ascii_digit() || Script::of(it) == Script::Han;
    found.retain(|stem| stem.chars().count() > 1 || stem.chars().all(says_something));
    found.retain(|stem| !language.is_some_and(|it| it.is_stop(stem)));
    found
}

/// A pair of adjacent characters; none if either is Hiragana, which mostly writes endings.
fn pair(first: char, second: char) -> Option<String> {
    let is_ending = |it: char| Script::of(it) == Script::Hiragana;
    (!is_ending(first) && !is_ending(second)).then(|| [first, second].iter().collect())
}

/// Whether two texts say nearly the same: their stems overlap by at least `percent` (Jaccard).
pub(crate) fn is_near(left: &BTreeSet<String>, right: &BTreeSet<String>, percent: usize) -> bool {
    let shared = left.intersection(right).count();
    let all = left.len() + right.len() - shared;
    shared > 0 && shared * 100 >= all * percent
}
