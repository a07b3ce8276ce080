//! Small text helpers: heads and tails, words, and counts with their noun.
//!
//! Never splits a character.

use crate::{Script, TokenCount};

/// Question marks: Latin, full-width, Arabic and Greek.
pub const QUESTION_MARKS: [char; 4] = ['?', '\u{ff1f}', '\u{61f}', '\u{37e}'];

/// At most the first `n_chars` characters.
pub fn head(text: &str, n_chars: usize) -> &str {
    match text.char_indices().nth(n_chars) {
        Some((end, _)) => text.get(..end).unwrap_or(text),
        None => text,
    }
}

/// At most the last `n_chars` characters.
pub fn tail(text: &str, n_chars: usize) -> &str {
    let Some(skipped) = n_chars.checked_sub(1) else {
        return "";
    };
    match text.char_indices().rev().nth(skipped) {
        Some((start, _)) => text.get(start..).unwrap_or(text),
        None => text,
    }
}

/// The text without invisible characters, which could hide words or change their direction. Joiners are kept inside
/// words and symbols that need them.
///
/// # Examples
///
/// ```
/// assert_eq!(base::visible("pay\u{202e} me\u{200b} now"), "pay me now");
/// assert_eq!(base::visible("\u{1f468}\u{200d}\u{1f469}"), "\u{1f468}\u{200d}\u{1f469}");
/// ```
pub fn visible(text: &str) -> String {
    let is_joined = |c: Option<char>| {
        c.is_some_and(|c| !c.is_ascii() && !c.is_whitespace() && !is_invisible(c))
    };
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        let joins = matches!(c, '\u{200c}' | '\u{200d}');
        let stays = joins && is_joined(out.chars().next_back()) && is_joined(rest.clone().next());
        if stays || !is_invisible(c) {
            out.push(c);
        }
    }
    out
}

/// Whether a character is a Unicode format character that is invisible or changes the direction of text.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Counts words; in scripts without spaces two characters count as one word.
///
/// # Examples
///
/// ```
/// assert_eq!(base::n_words("See app.py - now"), 3);
/// assert_eq!(base::n_words("\u{6211}\u{4f4f}\u{5728}\u{676d}\u{5dde}"), 3);
/// ```
pub fn n_words(text: &str) -> usize {
    let is_unspaced = |it: char| Script::of(it) != Script::Other;
    let n_unspaced = text.chars().filter(|it| is_unspaced(*it)).count();
    let is_spaced_letter = |it: char| it.is_alphanumeric() && !is_unspaced(it);
    let is_spaced = |word: &&str| word.contains(is_spaced_letter);
    n_unspaced.div_ceil(2) + text.split_whitespace().filter(is_spaced).count()
}

/// The text of a line such as `2. text`, after its number, which has up to three digits.
pub fn numbered(line: &str) -> Option<&str> {
    let behind = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let n_digits = line.len() - behind.len();
    let text = behind.strip_prefix(['.', ')'])?.strip_prefix(' ')?;
    (1..=3).contains(&n_digits).then_some(text)
}

/// The sequences of letters and digits in a text, in order.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    let runs = text.split(|character: char| !character.is_alphanumeric());
    runs.filter(|run| !run.is_empty())
}

/// Formats a count with its noun, singular or plural.
pub fn counted(number: u64, one: &str, many: &str) -> String {
    let name = if number == 1 { one } else { many };
    format!("{} {name}", TokenCount(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counted_uses_singular_for_one() {
        let lines = [0, 1, 2, 1_200].map(|number| counted(number, "line", "lines"));
        assert_eq!(lines, ["0 lines", "1 line", "2 lines", "1,200 lines"]);
    }

    #[test]
    fn head_and_tail_cut_between_characters() {
        let text = "añb日🙂";
        assert_eq!([0, 2, 9].map(|n| head(text, n)), ["", "añ", text]);
        assert_eq!([0, 2, 9].map(|n| tail(text, n)), ["", "日🙂", text]);
    }
}
