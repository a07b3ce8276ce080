//! Measures numbers that may be a PIN or a code, and decides whether they are part of something else.
//!
//! Does not decide whether they are secrets; `prose` does.

use crate::is_unspaced;

/// The length in bytes of a PIN or code at the beginning of the text, such as `5 0 1 8`, `12-34-56` or `8841#`.
pub(super) fn length_of_number(text: &str) -> Option<usize> {
    let mut length = 0;
    let mut n_digits = 0;
    let mut is_joint = true;
    for (at, c) in text.char_indices() {
        match c {
            '#' | '*' if at == 0 => {}
            _ if c.is_numeric() => {
                n_digits += 1;
                length = at + c.len_utf8();
                is_joint = false;
            }
            ' ' | '-' if !is_joint => is_joint = true,
            '#' | '*' if length == at && at > 0 => {
                length = at + 1;
                break;
            }
            _ => break,
        }
    }
    (n_digits > 0).then_some(length)
}

/// Whether a number is only the beginning of a longer number, a date, a percentage or a word.
pub(super) fn goes_on_as_number(behind: &str) -> bool {
    let unit = behind.strip_prefix(' ').unwrap_or(behind);
    if unit.starts_with(['%', '\u{20ac}', '$', '\u{b0}']) {
        return true;
    }
    let mut follows = behind.chars();
    match (follows.next(), follows.next()) {
        (Some('.' | ',' | ':' | '/' | '-'), Some(next)) => next.is_ascii_alphanumeric(),
        (Some(next), _) => {
            next.is_alphanumeric() && !is_unspaced(next) || next == '_' || next == '@'
        }
        (None, _) => false,
    }
}

/// Whether the number counts or names the words after it, as in `12 characters` or `12 Oak Street`.
pub(super) fn goes_on_as_words(behind: &str) -> bool {
    behind
        .strip_prefix(' ')
        .is_some_and(|words| words.starts_with(char::is_alphabetic))
}
