//! Text broken into lines that fit a width, as a terminal counts it.
//!
//! Never drops a character but the spaces at which it breaks.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Narrowest lines that are worth breaking to.
const COLUMNS_MIN: usize = 20;

/// The text with `indent` before each line, no line wider than `columns` where that can be done.
pub(super) fn wrap(text: &str, indent: &str, columns: usize) -> String {
    let width = columns.saturating_sub(indent.width()).max(COLUMNS_MIN);
    text.lines()
        .flat_map(|line| broken(line, width))
        .map(|line| format!("{indent}{line}").trim_end().to_owned() + "\n")
        .collect()
}

/// One line as several; what the line itself is indented by is kept on its first part.
fn broken(line: &str, width: usize) -> Vec<String> {
    if line.width() <= width {
        return vec![line.to_owned()];
    }
    let mut lines = Vec::new();
    let mut current = String::new();
    for word in line.split_inclusive(' ') {
        if !current.is_empty() && current.width() + word.trim_end().width() > width {
            lines.push(std::mem::take(&mut current));
        }
        for character in word.chars() {
            // A word that is longer than a line, such as a text in a script without spaces.
            let needed = character.width().unwrap_or(0);
            if character != ' ' && !current.is_empty() && current.width() + needed > width {
                lines.push(std::mem::take(&mut current));
            }
            current.push(character);
        }
    }
    lines.push(current);
    lines
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lines_break_at_spaces_and_long_words_anywhere() {
        let text = "one two three four five six\n\n  - a\n日記日記日記日記日記日記日記";
        let expected =
            "  one two three four\n  five six\n\n    - a\n  日記日記日記日記日記\n  日記日記\n";
        assert_eq!(wrap(text, "  ", 22), expected);
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_no_line_is_too_wide(text in "[a-c日é \\n]{0,200}", columns in 22_usize..60) {
            let wrapped = wrap(&text, "  ", columns);
            let bare = |text: &str| text.chars().filter(|it| !it.is_whitespace()).collect::<String>();
            prop_assert_eq!(bare(&wrapped), bare(&text));
            for line in wrapped.lines() {
                prop_assert!(line.width() <= columns, "{line:?}");
            }
        }
    }
}
