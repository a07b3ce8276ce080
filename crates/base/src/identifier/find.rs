//! Finds identifiers, line by line and token by token.
//!
//! Never changes or completes what it finds.

use std::ops::Range;

use super::kind::{IdentifierKind, kind_of};
use super::run::{date_at, sum_at};
use super::token::tokens;

/// Maximum length of a name in backticks, in characters. A longer span is a piece of code.
const NAME_CHARS_MAX: usize = 60;

/// A text that must be exact to be useful.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identifier<'a> {
    /// The identifier, verbatim.
    pub text: &'a str,
    pub kind: IdentifierKind,
}

/// The identifiers of a text, in order; a span in backticks may overlap identifiers inside it.
pub fn identifiers(text: &str) -> Vec<Identifier<'_>> {
    let mut found = Vec::new();
    for line in text.lines() {
        of_line(line, &mut found);
    }
    found
}

fn of_line<'a>(line: &'a str, found: &mut Vec<Identifier<'a>>) {
    let tokens = tokens(line);
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        if let Some((range, n_tokens)) = date_at(line, &tokens, index) {
            push(line, range, IdentifierKind::Date, found);
            index += n_tokens;
            continue;
        }
        if let Some((range, n_tokens)) = sum_at(line, &tokens, index) {
            push(line, range, IdentifierKind::Sum, found);
            index += n_tokens;
            continue;
        }
        if let Some((range, kind)) = kind_of(line, token) {
            push(line, range, kind, found);
        }
        index += 1;
    }
    named(line, found);
}

fn push<'a>(
    line: &'a str,
    range: Range<usize>,
    kind: IdentifierKind,
    found: &mut Vec<Identifier<'a>>,
) {
    if let Some(text) = line.get(range) {
        found.push(Identifier { text, kind });
    }
}

/// Adds spans in backticks that are not identifiers of another kind.
fn named<'a>(line: &'a str, found: &mut Vec<Identifier<'a>>) {
    if line.trim_start().starts_with("```") || !line.contains('`') {
        return;
    }
    for text in line.split('`').skip(1).step_by(2) {
        let is_name = text.chars().any(char::is_alphanumeric)
            && text.trim() == text
            && text.chars().count() <= NAME_CHARS_MAX;
        if is_name && !found.iter().rev().take(8).any(|other| other.text == text) {
            found.push(Identifier {
                text,
                kind: IdentifierKind::Name,
            });
        }
    }
}

#[cfg(test)]
#[path = "find_tests.rs"]
mod tests;
