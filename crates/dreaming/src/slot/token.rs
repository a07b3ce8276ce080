//! The words of a line as its grammar is read: contractions taken apart, with what their spelling tells.
//!
//! Knows no grammar.

use super::table::{CONTRACTIONS, TITLES};

/// A word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    /// In lower case; `'s` stands alone.
    pub(super) plain: String,
    /// Whether it is written like a name, and not like that of a tool: `Graz`, not `PostgreSQL`.
    pub(super) is_name: bool,
    /// As it is written.
    written: String,
    /// Whether it has a figure, or is an address of mail.
    pub(super) is_figure: bool,
    /// Whether a mark follows at which a clause ends.
    pub(super) is_end: bool,
}

impl Token {
    /// Whether it has a capital, as the name of a make has: `iPhone`.
    pub(super) fn has_capital(&self) -> bool {
        self.written.contains(char::is_uppercase)
    }
}

/// The words of a line, in order.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut found: Vec<Token> = Vec::new();
    for raw in text.split_whitespace() {
        let inner = raw.trim_matches(|c: char| !c.is_alphanumeric());
        let lower = inner.to_lowercase().replace('\u{2019}', "'");
        for plain in parts(&lower) {
            found.push(Token {
                // Of `I'm` the second part is no name, though it begins with a capital.
                is_name: plain != "i" && lower.starts_with(plain) && is_name(inner),
                written: inner.to_owned(),
                is_figure: inner.contains(|c: char| c.is_ascii_digit() || c == '@'),
                plain: plain.to_owned(),
                is_end: false,
            });
        }
        let is_title = TITLES.contains(&lower.as_str());
        let is_end =
            inner.is_empty() || !is_title && raw.ends_with([',', ';', ':', '.', '!', '?', ')']);
        if let Some(last) = found.last_mut().filter(|_| is_end) {
            last.is_end = true;
        }
    }
    found
}

fn parts(lower: &str) -> Vec<&str> {
    if lower.is_empty() {
        return Vec::new();
    }
    if let Some((_, both)) = CONTRACTIONS.iter().find(|(own, _)| *own == lower) {
        return both.to_vec();
    }
    if let Some(stem) = lower.strip_suffix("n't") {
        return vec![stem, "not"];
    }
    match lower.strip_suffix("'s") {
        Some(stem) => vec![stem, "'s"],
        None => vec![lower],
    }
}

fn is_name(word: &str) -> bool {
    let is_capital = word.starts_with(char::is_uppercase);
    let small = word.find(char::is_lowercase).unwrap_or(word.len());
    let behind = word.get(small..).unwrap_or_default();
    // A second part, as in `Baden-Baden`, begins like the first.
    let is_coined = behind
        .split(['-', '\''])
        .any(|part| part.chars().skip(1).any(char::is_uppercase));
    is_capital && !is_coined
}
