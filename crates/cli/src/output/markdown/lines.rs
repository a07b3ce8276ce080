//! Classifies the lines of streamed Markdown: headings, code blocks and table rows.
//!
//! Leaves marks within a line to `inline`.

use super::inline::{Inline, marked};
use super::mark::Mark;
use super::table::{is_row, is_rule, laid_out};

/// The most bytes of a table held back; a longer one is shown as written.
const TABLE_CHARS_MAX: usize = 20_000;

/// The longest line start held back to classify the line.
const START_CHARS_MAX: usize = 300;

/// Sets code blocks apart, even without colour.
const CODE_INDENT: &str = "    ";

/// Opens and closes a code block.
const FENCE: &str = "```";

/// Renders streamed Markdown.
#[derive(Debug, Default)]
pub(in crate::output) struct MarkdownPrinter {
    columns: usize,
    /// The start of the line, until it classifies the line.
    start: Option<String>,
    line: LineKind,
    inline: Inline,
    is_in_listing: bool,
    /// What a fence is followed by: the name of a language, which is not shown, or text.
    behind_fence: String,
    /// Held-back rows; a table if the second one is a rule.
    rows: Vec<String>,
}

/// The kind of the current line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum LineKind {
    #[default]
    Text,
    Heading,
    /// A row of an overlong table, shown as written.
    Raw,
    /// A line of a code block, shown as written.
    Code,
    /// Opens or closes a code block; not shown.
    Fence,
    Row,
}

impl MarkdownPrinter {
    /// Starts a text for a terminal with `columns`.
    pub(in crate::output) fn new(columns: usize) -> Self {
        Self {
            columns,
            start: Some(String::new()),
            ..Self::default()
        }
    }

    /// Takes a piece and returns what is certain now, with marks.
    pub(in crate::output) fn push(&mut self, piece: &str) -> String {
        let mut text = String::new();
        for character in piece.chars() {
            if character.is_control() && !"\n\r\t".contains(character) {
                for escaped in character.escape_unicode() {
                    self.take(escaped, &mut text);
                }
            } else {
                self.take(character, &mut text);
            }
        }
        text
    }

    /// Returns the held-back text.
    pub(in crate::output) fn finish(&mut self) -> String {
        let mut text = String::new();
        let is_in_row = self.line == LineKind::Row;
        self.end_line(&mut text);
        self.end_table(&mut text);
        // `end_table` ends each row with a line break; drop the last one, which the text did not have.
        if is_in_row && text.ends_with('\n') {
            text.pop();
        }
        *self = Self::new(self.columns);
        text
    }

    fn take(&mut self, character: char, text: &mut String) {
        if character == '\n' {
            let is_hidden = self.end_line(text);
            if !is_hidden {
                text.push('\n');
            }
            self.start = Some(String::new());
            return;
        }
        if self.line == LineKind::Row {
            self.hold(character, text);
            return;
        }
        let Some(start) = &mut self.start else {
            return self.inside(character, text);
        };
        if matches!(character, ' ' | '#' | '`') && start.len() < START_CHARS_MAX {
            start.push(character);
            return;
        }
        if character == '|' && start.trim().is_empty() && !self.is_in_listing {
            let mut row = self.start.take().unwrap_or_default();
            row.push(character);
            self.rows.push(row);
            self.line = LineKind::Row;
            return;
        }
        self.begin_line(text);
        self.inside(character, text);
    }

    /// Takes a character of a classified line.
    fn inside(&mut self, character: char, text: &mut String) {
        match self.line {
            LineKind::Raw | LineKind::Code => text.push(character),
            LineKind::Fence => self.behind_fence.push(character),
            LineKind::Text | LineKind::Row => self.inline.take(character, text),
            LineKind::Heading => {
                let mut part = String::new();
                self.inline.take(character, &mut part);
                text.push_str(&still_bold(&part));
            }
        }
    }

    fn hold(&mut self, character: char, text: &mut String) {
        if let Some(row) = self.rows.last_mut() {
            row.push(character);
        }
        let n_held: usize = self.rows.iter().map(String::len).sum();
        if n_held > TABLE_CHARS_MAX {
            let rows = std::mem::take(&mut self.rows);
            text.push_str(&rows.join("\n"));
            self.line = LineKind::Raw;
        }
    }

    /// Classifies the line by its start.
    fn begin_line(&mut self, text: &mut String) {
        let start = self.start.take().unwrap_or_default();
        self.end_table(text);
        let trimmed = start.trim_start();
        let n_hashes = trimmed.trim_end().len();
        let is_heading = trimmed.ends_with(' ')
            && (1..=6).contains(&n_hashes)
            && trimmed.trim_end().chars().all(|character| character == '#');
        if trimmed.starts_with(FENCE) {
            self.is_in_listing = !self.is_in_listing;
            self.line = LineKind::Fence;
            self.behind_fence = start;
        } else if self.is_in_listing {
            self.line = LineKind::Code;
            text.push(Mark::LaidOut.character());
            text.push_str(CODE_INDENT);
            text.push(Mark::CodeOn.character());
            text.push_str(&start);
        } else if is_heading {
            self.line = LineKind::Heading;
            text.push(Mark::BoldOn.character());
        } else {
            self.line = LineKind::Text;
            for character in start.chars() {
                self.inline.take(character, text);
            }
        }
    }

    /// Ends the line. Returns `true` if its line break is not shown now: a fence has none, a row holds it back.
    fn end_line(&mut self, text: &mut String) -> bool {
        if self.line == LineKind::Row {
            self.line = LineKind::Text;
            return self.keep_row(text);
        }
        let is_blank = self.start.as_deref() == Some("");
        if is_blank && self.is_in_listing {
            return false;
        }
        if self.start.is_some() {
            self.begin_line(text);
        }
        if self.line == LineKind::Fence {
            self.line = LineKind::Text;
            return self.end_fence(text);
        }
        let mut part = String::new();
        self.inline.finish(&mut part);
        if self.line == LineKind::Heading {
            text.push_str(&still_bold(&part));
            text.push(Mark::BoldOff.character());
        } else if self.line == LineKind::Code {
            text.push(Mark::CodeOff.character());
        } else {
            text.push_str(&part);
        }
        self.line = LineKind::Text;
        false
    }

    /// Ends a line that began like a fence. Returns `true` if it is one; else prints the line as text.
    fn end_fence(&mut self, text: &mut String) -> bool {
        let line = std::mem::take(&mut self.behind_fence);
        let behind = line.trim_start().trim_start_matches('`').trim();
        // A closing fence is followed by nothing, an opening one by no other backtick.
        let is_fence = behind.is_empty() || self.is_in_listing && !behind.contains('`');
        if !is_fence {
            // Text behind a closing fence still ends the code block.
            self.is_in_listing = false;
            text.push_str(&marked(&line));
        }
        is_fence
    }

    /// Returns `true` while the rows may still be a table; else prints them as text.
    fn keep_row(&mut self, text: &mut String) -> bool {
        let is_none = matches!(self.rows.as_slice(), [_, second] if !is_rule(second));
        if !is_none {
            return true;
        }
        let rows = std::mem::take(&mut self.rows);
        let rows = rows.iter().map(|row| marked(row));
        text.push_str(&rows.collect::<Vec<_>>().join("\n"));
        false
    }

    /// Prints the held-back rows, laid out if they are a table, each with its line break.
    fn end_table(&mut self, text: &mut String) {
        let rows = std::mem::take(&mut self.rows);
        let is_table = rows.len() > 1 && rows.iter().all(|row| is_row(row));
        let lines = if is_table {
            laid_out(&rows, self.columns)
        } else {
            rows.iter().map(|row| marked(row)).collect()
        };
        for line in lines {
            text.push_str(&line);
            text.push('\n');
        }
    }
}

/// Keeps a heading bold after bold text in it.
fn still_bold(part: &str) -> String {
    let (on, off) = (Mark::BoldOn.character(), Mark::BoldOff.character());
    part.replace(off, &format!("{off}{on}"))
}

#[cfg(test)]
#[path = "lines_tests.rs"]
mod tests;
