//! The tidy rule that keeps lists of words of a natural language out of the code.
//!
//! Goes by form: many different string literals of small letters, one after the other.

use std::collections::BTreeSet;

use super::file_rules::Finding;
use super::source::Source;

/// This many different words in a row are a list of words.
const WORDS_MIN: usize = 12;

/// Literals that are farther apart, in characters of code, belong to different lists.
const GAP_CHARS_MAX: usize = 30;

/// The ends of a list: the end of a statement or a block, a call, a key of JSON, or an attribute.
const ENDS: [char; 6] = [';', '{', '}', '.', '!', '#'];

/// The files that may hold such a list, each with what it lists.
pub(super) const ALLOWED: &[(&str, &str)] = &[
    (
        "crates/base/src/identifier/kind.rs",
        "endings of file names",
    ),
    ("crates/compaction/src/audit/measure.rs", "units of measure"),
    (
        "crates/search/src/rank/explain.rs",
        "names of kinds of evidence",
    ),
    (
        "crates/models/src/remote/refusal.rs",
        "messages of providers",
    ),
    (
        "crates/session/src/format/redacting.rs",
        "keys of a transcript",
    ),
];

/// Outside the allowed files, no production code holds a list of words; an allowed file still holds one.
pub(super) fn holds_no_word_list(source: &Source) -> Vec<Finding> {
    let is_production = source.path.contains("/src/") && !source.is_test();
    let is_allowed = ALLOWED.iter().any(|(path, _)| *path == source.path);
    let longest = longest_list(source).filter(|_| is_production);
    match longest {
        Some((line, words)) if !is_allowed => {
            let some: Vec<&str> = words.iter().map(String::as_str).take(3).collect();
            vec![format!(
                "{}:{line}: a list of {} words, such as {}; what is known of a language stands in crates/extract/data, calendar words in crates/base/src/dates/words.toml",
                source.path,
                words.len(),
                some.join(", ")
            )]
        }
        None if is_allowed => vec![format!(
            "{}:1: holds no list of words, so that it need not be allowed one",
            source.path
        )],
        Some(_) | None => Vec::new(),
    }
}

/// The line and the words of the longest list, if one is long enough.
fn longest_list(source: &Source) -> Option<(usize, BTreeSet<String>)> {
    let mut lists: Vec<(usize, BTreeSet<String>)> = Vec::new();
    let mut list = BTreeSet::new();
    let mut begins = 1;
    for (line, gap, literal) in literals(source) {
        let n_chars = gap.split_whitespace().map(str::len).sum::<usize>();
        let is_key = gap.trim_start().starts_with(':') && !gap.trim_start().starts_with("::");
        if gap.contains(ENDS) || is_key || n_chars > GAP_CHARS_MAX {
            lists.push((begins, std::mem::take(&mut list)));
        }
        if list.is_empty() {
            begins = line;
        }
        if is_word(&literal) {
            list.insert(literal);
        }
    }
    lists.push((begins, list));
    let longest = lists.into_iter().max_by_key(|(_, words)| words.len());
    longest.filter(|(_, words)| words.len() >= WORDS_MIN)
}

/// Whether a literal may be a word, or some, of a natural language.
fn is_word(literal: &str) -> bool {
    let is_small = |it: char| it.is_alphabetic() && !it.is_uppercase();
    let is_inner = |it: char| is_small(it) || matches!(it, ' ' | '\'' | '\u{2019}');
    literal.chars().count() > 1 && literal.chars().all(is_inner) && literal.chars().any(is_small)
}

/// The string literals of production code: their line, the code since the one before, and what they hold.
fn literals(source: &Source) -> Vec<(usize, String, String)> {
    let mut found = Vec::new();
    let n_lines = source.n_production_lines();
    let (mut line, mut gap) = (1, String::from(";"));
    let mut inside: Option<String> = None;
    // The code has as many characters as the text, with the insides of its strings blanked.
    for (character, code) in source.text.chars().zip(source.code.chars()) {
        line += usize::from(character == '\n');
        if line > n_lines {
            break;
        }
        match (&mut inside, code) {
            (None, '"') => inside = Some(String::new()),
            (None, other) => gap.push(other),
            (Some(_), '"') => {
                let literal = inside.take().unwrap_or_default();
                found.push((line, std::mem::take(&mut gap), unescaped(&literal)));
            }
            (Some(literal), _) => literal.push(character),
        }
    }
    found
}

/// A literal with its characters in place of their numbers.
fn unescaped(literal: &str) -> String {
    let mut parts = literal.split("\\u{");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (number, rest) = part.split_once('}').unwrap_or((part, ""));
        let number = u32::from_str_radix(number, 16).unwrap_or_default();
        plain.extend(char::from_u32(number));
        plain.push_str(rest);
    }
    plain
}
