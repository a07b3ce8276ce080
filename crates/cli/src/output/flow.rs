//! Prints streamed text: escapes control characters, wraps between words, and styles Markdown.
//!
//! Holds back only Markdown that may still change, and the last word while it is incomplete.

use anstream::adapter::strip_str;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::human::is_reordering;
use super::markdown::{Mark, MarkdownPrinter};

/// The replacement for a tab at a terminal.
const TAB: &str = "    ";

/// Wraps and styles streamed text.
#[derive(Debug, Default)]
pub struct Flow {
    columns: usize,
    markdown: MarkdownPrinter,
    column: usize,
    /// Number of spaces not printed yet.
    n_spaces: usize,
    /// The last word, which may be incomplete.
    word: String,
    /// The column at which this line's text continues after a line break; `None` before its first word.
    indent: Option<usize>,
    /// Whether the line must not be wrapped.
    is_verbatim: bool,
    /// Whether the line contains any text.
    is_begun: bool,
}

impl Flow {
    /// Wraps at `columns`. `usize::MAX` turns wrapping off.
    pub fn new(columns: usize) -> Self {
        Self {
            columns,
            ..Self::default()
        }
    }

    /// Also styles Markdown. For terminals that show styles.
    #[must_use]
    pub fn styled(self) -> Self {
        Self {
            markdown: MarkdownPrinter::styled(),
            ..self
        }
    }

    /// Adds the width of a mark that is already printed on the line.
    pub fn begin_behind(&mut self, mark: &str) {
        self.column = strip_str(mark).to_string().width();
    }

    /// Takes a piece of text and returns the part that can be printed now.
    pub fn push(&mut self, piece: &str) -> String {
        let mut text = String::new();
        for character in self.markdown.push(piece).chars() {
            self.take(character, &mut text);
        }
        if self.columns == usize::MAX {
            self.end_word(&mut text);
        }
        text
    }

    /// Returns the text held back, and ends a line that was begun.
    pub fn finish(&mut self) -> String {
        let mut text = String::new();
        for character in self.markdown.finish().chars() {
            self.take(character, &mut text);
        }
        self.end_word(&mut text);
        if self.is_begun {
            text.push('\n');
        }
        *self = Self {
            markdown: std::mem::take(&mut self.markdown),
            ..Self::new(self.columns)
        };
        text
    }

    fn take(&mut self, character: char, text: &mut String) {
        match character {
            '\n' => self.end_line(text),
            '\r' => {}
            ' ' => {
                self.end_word(text);
                self.n_spaces += 1;
            }
            '\t' if self.columns == usize::MAX => self.word.push('\t'),
            '\t' => {
                self.end_word(text);
                self.n_spaces += TAB.len();
            }
            _ if Mark::of(character) == Some(Mark::Verbatim) => self.is_verbatim = true,
            _ if Mark::of(character).is_some() => self.word.push(character),
            _ if is_reordering(character) => {
                self.word.extend(character.escape_unicode());
            }
            _ if character.width() == Some(2) => {
                // Scripts with wide characters use no spaces, so a break is allowed before each character.
                self.end_word(text);
                self.word.push(character);
            }
            _ => self.word.push(character),
        }
    }

    fn end_line(&mut self, text: &mut String) {
        self.end_word(text);
        text.push('\n');
        self.column = 0;
        self.n_spaces = 0;
        self.indent = None;
        self.is_verbatim = false;
        self.is_begun = false;
    }

    fn end_word(&mut self, text: &mut String) {
        if self.word.is_empty() {
            return;
        }
        let marked = std::mem::take(&mut self.word);
        let word: String = marked
            .chars()
            .filter(|character| Mark::of(*character).is_none())
            .collect();
        if word.is_empty() {
            text.push_str(&with_sequences(&marked));
            return;
        }
        let is_first = self.indent.is_none();
        if is_first {
            self.indent = Some(self.n_spaces + hanging(&word));
        }
        let width = word.width();
        let is_full = self.column + self.n_spaces + width > self.columns;
        if is_full && !is_first && !self.is_verbatim {
            let indent = self.indent.unwrap_or(0).min(self.columns / 2);
            text.push('\n');
            text.push_str(&" ".repeat(indent));
            self.column = indent;
        } else {
            text.push_str(&" ".repeat(self.n_spaces));
            self.column += self.n_spaces;
        }
        self.n_spaces = 0;
        text.push_str(&with_sequences(&marked));
        self.column += width;
        self.is_begun = true;
    }
}

/// Replaces marks with terminal escape sequences.
fn with_sequences(marked: &str) -> String {
    let mut text = String::new();
    for character in marked.chars() {
        match Mark::of(character) {
            Some(mark) => text.push_str(mark.sequence()),
            None => text.push(character),
        }
    }
    text
}

/// The extra indent of continuation lines after a list marker; 0 if the word is not a list marker.
fn hanging(word: &str) -> usize {
    let is_number = word
        .strip_suffix(['.', ')'])
        .is_some_and(|number| !number.is_empty() && number.chars().all(|it| it.is_ascii_digit()));
    if is_number || matches!(word, "-" | "*" | "+" | ">") {
        word.len() + 1
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn flowed(columns: usize, pieces: &[&str]) -> String {
        let mut flow = Flow::new(columns);
        let mut text: String = pieces.iter().map(|piece| flow.push(piece)).collect();
        text.push_str(&flow.finish());
        text
    }

    #[track_caller]
    fn check(columns: usize, text: &str, expected: &str) {
        assert_eq!(flowed(columns, &[text]), expected, "{text:?} in {columns}");
    }

    #[test]
    fn flow_breaks_lines_between_words() {
        check(80, "", "");
        check(80, "one two\n", "one two\n");
        check(7, "one two three", "one two\nthree\n");
        check(9, "- one two\n- three", "- one two\n- three\n");
        check(8, "- one two three", "- one\n  two\n  three\n");
        check(
            12,
            "  10. one two three",
            "  10. one\n      two\n      three\n",
        );
        check(4, "extraordinary day", "extraordinary\nday\n");
        check(9, "日記日記日記 a", "日記日記\n日記 a\n");
        check(6, "one \n\n two", "one\n\n two\n");
        check(
            5,
            "```\none two three\n```\none two",
            "```\none two three\n```\none\ntwo\n",
        );
        check(5, "| one | two |\n", "| one | two |\n");
        check(5, "```a b``` c\none two", "```a b``` c\none\ntwo\n");
        check(usize::MAX, "one\ttwo  three", "one\ttwo  three\n");
        check(80, "one\ttwo", "one    two\n");
    }

    #[test]
    fn flow_escapes_control_characters() {
        let hostile = "a\u{1b}[2Jb \u{1b}]0;title\u{7}\r\u{9b}1m \u{202e}evil\u{7f}";
        for columns in [80, usize::MAX] {
            assert_eq!(
                flowed(columns, &[hostile]),
                "a\\u{1b}[2Jb \\u{1b}]0;title\\u{7}\\u{9b}1m \\u{202e}evil\\u{7f}\n"
            );
        }
    }

    #[test]
    fn flow_styles_take_no_width_and_end_with_line() {
        let mut flow = Flow::new(12).styled();
        let mut text = flow.push("# Two words\n**bold words** and `code`\n");
        text.push_str(&flow.push("a\u{1b}[2J **open"));
        text.push_str(&flow.finish());
        let expected =
            "[1mTwo words[22m\n[1mbold words[22m\nand [36mcode[39m\na\\u{1b}[2J\n**open\n";
        assert_eq!(text.replace('\u{1b}', ""), expected);
        let plain = "# Two\n**bold** `code`\n";
        assert_eq!(flowed(80, &[plain]), plain);
    }

    #[test]
    fn flow_prints_words_as_soon_as_complete() {
        let mut flow = Flow::new(80);
        assert_eq!(flow.push("Hel"), "");
        assert_eq!(flow.push("lo wor"), "Hello");
        assert_eq!(flow.push("ld\n日記"), " world\n日");
        assert_eq!(flow.finish(), "記\n");
        assert_eq!(flow.finish(), "");
        let mut raw = Flow::new(usize::MAX);
        assert_eq!(raw.push("Hel"), "Hel");
    }

    proptest! {
        #[test]
        fn flow_output_is_independent_of_piece_boundaries(
            text in "[a-c日`\\- \n\u{1b}]{0,80}",
            cut in 0_usize..80,
            columns in 1_usize..30,
        ) {
            let (first, second) = text.split_at(text.floor_char_boundary(cut));
            let whole = flowed(columns, &[&text]);
            prop_assert_eq!(&flowed(columns, &[first, second]), &whole);
            let n_obeyed = whole.matches('\u{1b}').count();
            prop_assert_eq!(n_obeyed, 0);
            let bare = |text: &str| -> String {
                text.replace('\u{1b}', "\\u{1b}").split_whitespace().collect()
            };
            prop_assert_eq!(bare(&whole), bare(&text));
        }
    }
}
