//! Wraps long lines between words.
//!
//! Splits a word only if it is longer than a line and its script uses no spaces.

use anstream::adapter::strip_str;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Wraps text at `columns`; continuation lines begin with `indent`.
pub fn wrap(text: &str, columns: usize, indent: &str) -> String {
    text.split('\n')
        .map(|line| wrap_line(line, columns, indent))
        .collect::<Vec<_>>()
        .join("\n")
}

/// Indents and wraps each line, trims trailing spaces, and ends it with a line break.
pub fn wrap_indented(text: &str, columns: usize, indent: &str) -> String {
    text.lines()
        .map(|line| {
            wrap(&format!("{indent}{line}"), columns, indent)
                .trim_end()
                .to_owned()
                + "\n"
        })
        .collect()
}

fn wrap_line(line: &str, columns: usize, indent: &str) -> String {
    let mut wrapped = String::new();
    let mut width = 0;
    let mut is_at_start = true;
    for word in words(line) {
        let mut gap = if is_at_start { "" } else { " " };
        for piece in pieces(&word, columns.saturating_sub(indent.width())) {
            let piece_width = printed_width(piece);
            // Leading spaces are the text's own indentation.
            let begins_text = wrapped.trim_start().is_empty();
            if !is_at_start && !begins_text && width + gap.len() + piece_width > columns {
                wrapped.truncate(wrapped.trim_end_matches(' ').len());
                wrapped.push('\n');
                wrapped.push_str(indent);
                width = indent.width();
            } else {
                wrapped.push_str(gap);
                width += gap.len();
            }
            wrapped.push_str(piece);
            width += piece_width;
            is_at_start = false;
            gap = "";
        }
    }
    wrapped
}

fn printed_width(text: &str) -> usize {
    strip_str(text).to_string().width()
}

/// Splits a word that is wider than a line between two wide characters, because their scripts use no spaces. Any
/// other word is not split.
fn pieces(word: &str, columns: usize) -> Vec<&str> {
    if printed_width(word) <= columns {
        return vec![word];
    }
    let is_wide = |character: char| character.width() == Some(2);
    let mut pieces = Vec::new();
    let mut rest = word;
    let mut was_wide = false;
    for (index, character) in word.char_indices() {
        let begun = index - (word.len() - rest.len());
        if was_wide
            && is_wide(character)
            && let Some((piece, further)) = rest.split_at_checked(begun)
        {
            pieces.push(piece);
            rest = further;
        }
        was_wide = is_wide(character);
    }
    pieces.push(rest);
    pieces
}

/// The words of a line. Text in backticks counts as one word, so that a command stays on one line and can be copied.
fn words(line: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut is_quoted = false;
    for piece in line.split(' ') {
        match words.last_mut().filter(|_| is_quoted) {
            Some(quoted) => {
                quoted.push(' ');
                quoted.push_str(piece);
            }
            None => words.push(piece.to_owned()),
        }
        is_quoted ^= piece.matches('`').count() % 2 == 1;
    }
    if is_quoted {
        // An unclosed backtick does not start a quotation.
        return line.split(' ').map(str::to_owned).collect();
    }
    words
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn wrap_breaks_lines_between_words() {
        for (text, columns, expected) in [
            ("one two three", 80, "one two three"),
            ("one two three", 7, "one two\n  three"),
            ("one two three", 1, "one\n  two\n  three"),
            ("  08:49  flush  epoch", 16, "  08:49  flush\n  epoch"),
            ("one\n\ntwo three", 6, "one\n\ntwo\n  three"),
            ("日記 日記", 8, "日記\n  日記"),
            ("日記 日記", 9, "日記 日記"),
            ("\u{1b}[1mone\u{1b}[0m two", 7, "\u{1b}[1mone\u{1b}[0m two"),
            ("", 10, ""),
            ("see `one two` and", 11, "see\n  `one two`\n  and"),
            ("see `one two` and", 8, "see\n  `one two`\n  and"),
            ("a ` b c", 3, "a `\n  b\n  c"),
            ("a 日記日記日記 b", 6, "a 日記\n  日記\n  日記\n  b"),
        ] {
            assert_eq!(wrap(text, columns, "  "), expected, "{text:?} in {columns}");
        }
    }

    #[test]
    fn wrap_indented_keeps_line_structure() {
        let text = "one two three four\n\n  - a\nb";
        let expected = "  one two\n  three four\n\n    - a\n  b\n";
        assert_eq!(wrap_indented(text, 12, "  "), expected);
    }

    proptest! {
        #[test]
        fn wrap_keeps_every_word_within_columns(text in "[a-c日 \n]{0,60}", columns in 0_usize..30) {
            let wrapped = wrap(&text, columns, "  ");
            let words = |text: &str| -> Vec<String> {
                text.split_whitespace().map(str::to_owned).collect()
            };
            let bare = |text: &str| words(text).concat();
            prop_assert_eq!(bare(&wrapped), bare(&text));
            if !text.contains('日') {
                prop_assert_eq!(words(&wrapped), words(&text));
            }
            for line in wrapped.lines() {
                let is_one_word = line.split_whitespace().count() <= 1;
                prop_assert!(line.width() <= columns || is_one_word, "{:?}", line);
            }
        }
    }
}
