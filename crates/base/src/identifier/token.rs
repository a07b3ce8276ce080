//! Splits a line into tokens at white space, quotes and brackets.
//!
//! Keeps numbers, paths and addresses in one piece; classifies nothing.

use std::ops::Range;

/// A token of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct IdentifierToken {
    /// Its byte range in the line.
    pub(super) range: Range<usize>,
    /// The character before it.
    pub(super) before: Option<char>,
}

/// Whether a character is Chinese or Japanese, including punctuation. Such a character ends an identifier.
pub fn is_chinese_or_japanese(character: char) -> bool {
    matches!(character,
        '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}')
}

/// The tokens of a line, in order.
pub(super) fn tokens(line: &str) -> Vec<IdentifierToken> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut before = None;
    let mut previous = None;
    let mut characters = line.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let next = characters.peek().map(|(_, next)| *next);
        if is_edge(previous, character, next) {
            keep(line, start..at, before, &mut found);
            start = at + character.len_utf8();
            before = Some(character);
        }
        previous = Some(character);
    }
    keep(line, start..line.len(), before, &mut found);
    found
}

fn keep(line: &str, range: Range<usize>, before: Option<char>, found: &mut Vec<IdentifierToken>) {
    let Some(text) = line.get(range.clone()) else {
        return;
    };
    let trimmed = text.trim_end_matches(['.', ',', ':', '!', '?', '*', '_', '\u{2026}', '-']);
    let kept = trimmed.trim_start_matches(['*', '_', ':', ',', '\u{2013}', '\u{2014}']);
    if !kept.is_empty() {
        let start = range.start + trimmed.len() - kept.len();
        found.push(IdentifierToken {
            range: start..start + kept.len(),
            before,
        });
    }
}

fn is_edge(previous: Option<char>, character: char, next: Option<char>) -> bool {
    let is_digit = |side: Option<char>| side.is_some_and(|c| c.is_ascii_digit());
    match character {
        '"' | '\'' | '`' | '<' | '>' | '(' | ')' | '[' | ']' | '{' | '}' | '|' | ';'
        | '\u{2018}' | '\u{2019}' | '\u{201c}' | '\u{201d}' | '\u{ab}' | '\u{bb}' | '\u{2013}'
        | '\u{2014}' => true,
        ',' => !(is_digit(previous) && is_digit(next)),
        '=' => !is_inside_address(previous),
        // The characters for year, month, day, yuan and yen belong to the number before them.
        '\u{5e74}' | '\u{6708}' | '\u{65e5}' | '\u{5143}' | '\u{5186}' => !is_digit(previous),
        _ => character.is_whitespace() || is_chinese_or_japanese(character),
    }
}

/// A letter before `=` may be the key of a query parameter, which belongs to its address.
fn is_inside_address(previous: Option<char>) -> bool {
    previous.is_some_and(char::is_alphanumeric)
}
