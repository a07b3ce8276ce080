//! Determines the position of a token: after a link, alone on its line, or at the end of its clause.
//!
//! Decides nothing; `prose` does.

use super::code::{is_code, is_item};
use super::patterns::PATTERNS;
use super::token::SecretToken;
use crate::is_unspaced;

/// The word before a token, skipping a filler such as `now`.
pub(super) fn word_before<'t, 's>(before: &'s [SecretToken<'t>]) -> Option<&'s SecretToken<'t>> {
    match before {
        [] => None,
        [.., link, filler] if PATTERNS.is_filler(filler.text) => Some(link),
        [.., link, article] if PATTERNS.is_article(article.text) && is_link(link) => Some(link),
        [.., link] => Some(link),
    }
}

/// Whether a word links a cue and its secret.
pub(super) fn is_link(token: &SecretToken<'_>) -> bool {
    if token.text.ends_with(is_unspaced) {
        return PATTERNS.ends_in_link(token.text);
    }
    !token.is_quoted && PATTERNS.is_link(token.text)
}

/// Whether a token is alone on its line.
pub(super) fn is_alone(text: &str, token: &SecretToken<'_>) -> bool {
    let before = text.get(..token.range.start).unwrap_or("");
    let is_mark =
        |c: char| c != '\n' && c.is_whitespace() || matches!(c, '*' | '`' | '"' | '-' | '>' | '_');
    before.trim_end_matches(is_mark).ends_with('\n') && ends_line(text, token)
}

fn ends_line(text: &str, token: &SecretToken<'_>) -> bool {
    let behind = text.get(token.range.end..).unwrap_or("");
    let mut line = behind.chars().take_while(|c| *c != '\n');
    line.all(|c| c.is_whitespace() || c.is_ascii_punctuation() || c == '\u{3002}')
}

/// Whether a token ends its clause, on a line that is not code.
pub(super) fn is_last(text: &str, token: &SecretToken<'_>) -> bool {
    let behind = text.get(token.range.end..).unwrap_or("");
    let mark = behind.trim_start_matches(' ').chars().next();
    let is_closed = behind.starts_with(['"', ')']) || behind.starts_with("</");
    let ends = is_closed || mark.is_none_or(|c| "\n\r,.!".contains(c));
    ends && !is_code(text, token) && !is_item(text, token)
}
