//! Exact phrases of a question: a short name, or words in quotation marks.
//!
//! Scores passages already found. Single words and identifiers have terms of their own.

use std::collections::BTreeSet;

use super::score::EvidenceKind;
use super::texts::{Rows, Texts};
use crate::index::IndexError;

/// A query of at most this many words, without end punctuation, is a name.
const NAME_WORDS_MAX: usize = 5;

/// Sets, for each piece, the share of the question's phrases that it holds.
pub(crate) fn add_literals(
    texts: &mut Texts<'_>,
    literals: &BTreeSet<String>,
    rows: &mut Rows,
) -> Result<(), IndexError> {
    if literals.is_empty() {
        return Ok(());
    }
    let n_all = u32::try_from(literals.len()).map_or(f64::MAX, f64::from);
    for (row, parts) in rows {
        let pieces = row.record.pieces.iter().zip(parts);
        for (piece, parts) in pieces.filter(|(_, parts)| parts.is_relevant()) {
            let text = texts.get(row.key)?.get(piece.text.clone());
            let text = plain(text.unwrap_or_default());
            let held = literals.iter().filter(|literal| text.contains(*literal));
            parts.set(EvidenceKind::Literal, held.map(|_| 1.0 / n_all).sum());
        }
    }
    Ok(())
}

/// The phrases of a question, in the form of [`plain`].
pub(crate) fn literals(question: &str) -> BTreeSet<String> {
    let named = if is_name(question) {
        BTreeSet::from([plain(question)])
    } else {
        quoted(question).into_iter().map(plain).collect()
    };
    let is_more = |it: &String| base::words(it).nth(1).is_some();
    named.into_iter().filter(is_more).collect()
}

/// Whether a query names what it looks for instead of asking about it.
pub(crate) fn is_name(question: &str) -> bool {
    let is_sentence = question.trim_end().ends_with(['?', '.', '!']);
    !is_sentence && question.split_whitespace().count() <= NAME_WORDS_MAX
}

/// The quoted parts of a text; a mark that is never closed does not open a quotation.
fn quoted(question: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = question;
    while let Some((_, from)) = rest
        .find(['"', '\u{201c}', '`'])
        .and_then(|at| rest.split_at_checked(at))
    {
        let mut characters = from.chars();
        let close = match characters.next() {
            Some('\u{201c}') => '\u{201d}',
            Some(mark) => mark,
            None => break,
        };
        rest = characters.as_str();
        if let Some((inner, behind)) = rest.split_once(close)
            && !inner.is_empty()
        {
            found.push(inner);
            rest = behind;
        }
    }
    found
}

/// The words of a text in lower case, each surrounded by spaces, so that `contains` matches whole words.
fn plain(text: &str) -> String {
    let words: Vec<String> = base::words(text).map(str::to_lowercase).collect();
    format!(" {} ", words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_names_quotes_and_dates_of_several_words() {
        let cases: [(&str, &[&str]); 9] = [
            ("April 15,  2024", &[" april 15 2024 "]),
            ("test.js", &[" test js "]),
            ("Bluefin tuna", &[" bluefin tuna "]),
            ("What did I pay for the tuna?", &[]),
            (
                "Why does `src/main.rs` fail with \"E0308\"?",
                &[" src main rs "],
            ),
            (
                "What is \"the blue door\" to \u{201c}my Anna\u{201d}?",
                &[" my anna ", " the blue door "],
            ),
            ("tuna", &[]),
            ("Who said 5\" of snow?", &[]),
            ("...", &[]),
        ];
        for (question, expected) in cases {
            let found: Vec<String> = literals(question).into_iter().collect();
            assert_eq!(found, expected, "{question}");
        }
    }

    #[test]
    fn literal_matches_only_whole_words() {
        for (text, name, expected) in [
            ("We fly to New York.", "new york", true),
            ("a new Yorkshire pudding", "new york", false),
            ("host=0.0.0.0:80", "0.0.0", true),
            ("a 20.0.0", "0.0.0", false),
        ] {
            assert_eq!(plain(text).contains(&plain(name)), expected, "{text}");
        }
    }
}
