//! Recognises code around a token, because names of fields, arguments, variables and types are not secrets.
//!
//! Independent of programming languages; `prose` decides.

use super::token::{SecretToken, tag_length};

/// Number of bytes searched for code on each side of a word.
const CODE_BYTES: usize = 200;

/// Whether a token is called or indexed as in code, or is a template variable such as `{{ secrets.PASSWORD }}`.
pub(super) fn is_call(text: &str, token: &SecretToken<'_>) -> bool {
    let before = text.get(..token.range.start).unwrap_or("");
    let behind = text.get(token.range.end..).unwrap_or("");
    !token.is_quoted && (behind.starts_with(['(', '[', '{']) || before.trim_end().ends_with("{{"))
}

/// Whether a token is the name of a field, as in `"password": {"type": "string"}`.
pub(super) fn is_key(text: &str, token: &SecretToken<'_>) -> bool {
    let is_mark = |c: char| matches!(c, '"' | '\'' | '\\') || c.is_whitespace();
    let before = text.get(..token.range.start).unwrap_or("");
    let behind = text.get(token.range.end..).unwrap_or("");
    before.trim_end_matches(is_mark).ends_with(['{', ','])
        && behind.trim_start_matches(is_mark).starts_with(':')
}

/// Whether an indented line ends with a token and a comma. The token is then the type or the variable of a field in
/// code.
pub(super) fn is_item(text: &str, token: &SecretToken<'_>) -> bool {
    let start = text.ceil_char_boundary(token.range.start.saturating_sub(CODE_BYTES));
    let before = text.get(start..token.range.start).unwrap_or("");
    let line = before.rsplit_once('\n').map_or("", |(_, line)| line);
    let behind = text.get(token.range.end..).unwrap_or("");
    let ends_line = |rest: &str| rest.starts_with(['\n', '\r']);
    line.starts_with([' ', '\t']) && behind.strip_prefix(',').is_some_and(ends_line)
}

/// Whether the line around a token looks like code. In a quoted string, as in JSON, only the string counts.
pub(super) fn is_code(text: &str, token: &SecretToken<'_>) -> bool {
    let start = text.ceil_char_boundary(token.range.start.saturating_sub(CODE_BYTES));
    let end = text.ceil_char_boundary(token.range.end + CODE_BYTES);
    let before = text.get(start..token.range.start).unwrap_or("");
    let behind = text.get(token.range.start..end).unwrap_or("");
    let before = before.rsplit('\n').next().unwrap_or("");
    let behind = behind.split('\n').next().unwrap_or("");
    let (before, behind) = string_around(before, behind);
    let start = token.range.start - before.len();
    let line = text.get(start..token.range.start + behind.len());
    has_code_sign(line.unwrap_or(""))
}

/// The parts of a string that begins and ends on the line, or on another one, around a position; otherwise the whole
/// line.
fn string_around<'t>(before: &'t str, behind: &'t str) -> (&'t str, &'t str) {
    let opens = |outside: &str, inner: &str| {
        let mark = outside.chars().next_back();
        mark.is_none_or(|c| c.is_whitespace() || "{[,:(=".contains(c))
            && !inner.starts_with(|c: char| c.is_whitespace() || ",:)]};".contains(c))
    };
    let closes = |outside: &str| {
        let mark = outside.chars().next();
        mark.is_none_or(|c| c.is_whitespace() || "}],:);".contains(c))
    };
    let inner = match before.rsplit_once('"') {
        Some((outside, inner)) if opens(outside, inner) => inner,
        Some(_) => return (before, behind),
        None => before,
    };
    match behind.split_once('"') {
        Some((rest, outside)) if closes(outside) => (inner, rest),
        Some(_) => (before, behind),
        None => (inner, behind),
    }
}

/// Whether a sign of code is in a text. Parentheses around words and tags of markup are none.
fn has_code_sign(line: &str) -> bool {
    let mut n_open = 0_usize;
    let mut last = ' ';
    let mut at = 0;
    while let Some(c) = line.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = line.get(at..).unwrap_or("");
        let is_word = last.is_alphanumeric() || last == '_';
        let tag = tag_length(rest).filter(|_| !is_word || rest.starts_with("</"));
        match c {
            '<' if tag.is_some() => {}
            '(' if !is_word => n_open += 1,
            ')' if n_open > 0 => n_open -= 1,
            '{' | '}' | ';' | '<' | '>' | '(' | ')' | '=' | '|' => return true,
            _ => {}
        }
        at += tag.unwrap_or(c.len_utf8());
        last = c;
    }
    false
}

/// Whether a token is itself an assignment: `PORT=5432` below a setting without a value, or `timeout=3` after a
/// variable.
pub(super) fn is_setting(token: &SecretToken<'_>) -> bool {
    let Some((name, value)) = token.text.split_once('=') else {
        return false;
    };
    let is_letter = |c: char| c.is_ascii_uppercase() || !token.is_signed && c.is_ascii_lowercase();
    let is_part = |c: char| is_letter(c) || c.is_ascii_digit() || c == '_';
    name.starts_with(is_letter) && name.chars().all(is_part) && !value.starts_with('=')
}
