//! What a question names as it is written: an address, a file, a sum, a date, words in quotation marks.
//!
//! Looks at the passages that were found; finds none itself.

use super::parts::Parts;
use super::score::Evidence;
use super::texts::Texts;
use crate::index::{IndexError, StretchRow};
use crate::terms::identifier;

/// Of so many words a query is a name, and no sentence.
const NAME_WORDS_MAX: usize = 5;

/// What stands between these is meant as it is written.
const QUOTES: [(char, char); 3] = [('"', '"'), ('\u{201c}', '\u{201d}'), ('`', '`')];

/// Says of each piece which share of what the question names as it is written stands in it.
pub(crate) fn add_literals(
    texts: &mut Texts<'_>,
    literals: &[String],
    rows: &mut [(StretchRow, Vec<Parts>)],
) -> Result<(), IndexError> {
    if literals.is_empty() {
        return Ok(());
    }
    for (row, parts) in rows {
        if !parts.iter().any(Parts::is_relevant) {
            continue;
        }
        let texts = texts.get(row.key)?;
        for (piece, parts) in row.record.pieces.iter().zip(parts) {
            let text = texts
                .get(piece.text.clone())
                .filter(|_| parts.is_relevant());
            let text = flat(text.unwrap_or_default());
            let n_held = literals
                .iter()
                .filter(|literal| holds(&text, literal))
                .count();
            parts.set(Evidence::Literal, share(n_held, literals.len()));
        }
    }
    Ok(())
}

/// What a question names as it is written, in lower case and with single spaces.
pub(crate) fn literals(question: &str) -> Vec<String> {
    let words: Vec<&str> = question.split_whitespace().collect();
    let is_sentence = question.trim_end().ends_with(['?', '.', '!']);
    let mut found = Vec::new();
    if !is_sentence && words.len() <= NAME_WORDS_MAX {
        found.push(flat(question));
    } else {
        found.extend(words.iter().filter_map(|word| identifier(word)).map(flat));
        found.extend(quoted(question).map(flat));
    }
    // A single word is found by its form.
    let is_more = |it: &String| !it.chars().all(char::is_alphanumeric);
    found.retain(|literal| literal.chars().any(char::is_alphanumeric) && is_more(literal));
    found.sort();
    found.dedup();
    found
}

fn quoted(question: &str) -> impl Iterator<Item = &str> {
    QUOTES.iter().flat_map(move |(open, close)| {
        let parts = question.split([*open, *close]);
        let n_parts = parts.clone().count();
        // A mark that nothing closes begins nothing.
        let inside = parts
            .enumerate()
            .filter(move |(idx, _)| idx % 2 == 1 && idx + 1 < n_parts);
        inside.map(|(_, part)| part)
    })
}

fn flat(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

/// Whether it stands in the text and not within a longer word.
fn holds(text: &str, literal: &str) -> bool {
    let ends_word = |inside: Option<char>, outside: Option<char>| {
        !(inside.is_some_and(char::is_alphanumeric) && outside.is_some_and(char::is_alphanumeric))
    };
    text.match_indices(literal).any(|(at, _)| {
        let before = text.get(..at).and_then(|it| it.chars().next_back());
        let after = text
            .get(at + literal.len()..)
            .and_then(|it| it.chars().next());
        ends_word(literal.chars().next(), before) && ends_word(literal.chars().next_back(), after)
    })
}

/// Counts of literals are far below the point where this loses anything.
#[expect(clippy::cast_precision_loss, reason = "exact up to 2^53")]
fn share(n_held: usize, n_all: usize) -> f64 {
    n_held as f64 / n_all.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_question_names_as_it_is_written() {
        let cases: [(&str, &[&str]); 9] = [
            ("April 15,  2024", &["april 15, 2024"]),
            ("test.js", &["test.js"]),
            ("Bluefin tuna", &["bluefin tuna"]),
            ("What did I pay for the tuna?", &[]),
            (
                "Why does src/main.rs fail with v1.2.0?",
                &["src/main.rs", "v1.2.0"],
            ),
            (
                "What is \"the blue door\" to \u{201c}Anna\u{201d}?",
                &["the blue door"],
            ),
            ("tuna", &[]),
            ("Who said 5\" of snow?", &[]),
            ("...", &[]),
        ];
        for (question, expected) in cases {
            assert_eq!(literals(question), expected, "{question}");
        }
    }

    #[test]
    fn a_literal_is_no_part_of_a_longer_word() {
        for (text, literal, expected) in [
            ("the art of it", "art", true),
            ("the party", "art", false),
            ("host=0.0.0.0:80", "0.0.0", true),
            ("a 20.0.0", "0.0.0", false),
            ("stra\u{df}e 5", "stra\u{df}e", true),
        ] {
            assert_eq!(holds(text, literal), expected, "{text}");
        }
    }
}
