//! Splits Markdown into statements: each list item with its children, each paragraph, each table row.
//!
//! Accepts any text, from any program.

use std::path::Path;

use base::{Day, Origin};

use super::block::without_block;
use super::model::{Holds, Memory};

/// A statement, joined to one line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct MemoryStatement {
    /// Number of its first line, from 1.
    pub(super) line: usize,
    pub(super) text: String,
    /// The day of the nearest heading with one, or of the whole file.
    pub(super) day: Option<Day>,
    /// The headings above it, outermost first.
    pub(super) sections: Vec<String>,
}

impl MemoryStatement {
    /// Converts the statement to a memory, without comments.
    pub(super) fn memory(&self, origin: Origin, holds: &Holds) -> Memory {
        Memory {
            line: self.line,
            text: without_html_comments(&self.text),
            day: self.day,
            origin,
            holds: holds.clone(),
        }
    }
}

/// The statements of a text, except those in the block that this program wrote.
pub(super) fn items(text: &str) -> Vec<MemoryStatement> {
    let text = without_block(text);
    let mut splitter = Splitter::default();
    let is_bound = |line: &(&str, usize)| line.0.trim() == FRONT_MATTER;
    let mut lines = text.lines().zip(1..).peekable();
    if lines.next_if(is_bound).is_some() {
        for (line, _) in lines.by_ref().take_while(|line| !is_bound(line)) {
            splitter.day = splitter.day.or_else(|| day_of_property(line));
        }
    }
    for (line, number) in lines {
        splitter.line(line, number);
    }
    splitter.close();
    splitter.items
}

/// Whether a file name is that of a Markdown file.
pub(super) fn is_page(name: &str) -> bool {
    let ending = Path::new(name).extension();
    ending.is_some_and(|ending| ending.eq_ignore_ascii_case("md"))
}

/// Removes HTML comments.
pub(super) fn without_html_comments(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, comment)) = rest.split_once("<!--") {
        plain.push_str(before);
        rest = comment.split_once("-->").map_or("", |(_, after)| after);
    }
    plain.push_str(rest);
    plain.trim().to_owned()
}

/// The first day in a text, written as `2026-03-02`.
pub(super) fn day_in(text: &str) -> Option<Day> {
    let is_other = |character: char| !character.is_ascii_digit() && character != '-';
    text.split(is_other)
        .find_map(|part| part.get(..DAY_LEN)?.parse().ok())
}

const FRONT_MATTER: &str = "---";
const DAY_LEN: usize = 10;

/// The day in a property of the front matter.
fn day_of_property(line: &str) -> Option<Day> {
    let (key, value) = line.split_once(':')?;
    matches!(key.trim(), "date" | "created").then(|| day_in(value))?
}

#[derive(Default)]
struct Splitter {
    items: Vec<MemoryStatement>,
    open: Option<OpenStatement>,
    /// The day of the whole file.
    day: Option<Day>,
    /// The current headings, each with its level.
    headings: Vec<(usize, String)>,
    /// The fence of the open code block.
    fence: Option<String>,
    is_in_comment: bool,
}

struct OpenStatement {
    line: usize,
    /// Indentation of the list item; `None` for a paragraph.
    indent: Option<usize>,
    parts: Vec<String>,
    day: Option<Day>,
}

impl Splitter {
    fn line(&mut self, line: &str, number: usize) {
        let start = line.trim();
        if self.is_in_comment {
            self.is_in_comment = !start.contains("-->");
        } else if let Some(mark) = &self.fence {
            let is_end = start.starts_with(mark.as_str());
            self.grow(start, number);
            if is_end {
                self.fence = None;
                self.close();
            }
        } else if start.starts_with("<!--") && !start.contains("-->") {
            self.close();
            self.is_in_comment = true;
        } else if let Some(mark) = fence_mark(start) {
            self.fence = Some(mark);
            self.grow(start, number);
        } else {
            self.text_line(line, start, number);
        }
    }

    fn text_line(&mut self, line: &str, start: &str, number: usize) {
        let indent = line.len() - line.trim_start().len();
        if !start.chars().any(char::is_alphanumeric) || is_title(start) {
            self.close();
        } else if let Some((level, title)) = heading(start) {
            self.close();
            self.headings.retain(|(above, _)| *above < level);
            self.headings.push((level, title.to_owned()));
        } else if start.starts_with('|') {
            self.close();
            self.grow(start, number);
            self.close();
        } else if let Some((day, rest)) = dated(after_bullet(start).unwrap_or(start)) {
            self.begin(number, None, rest);
            if let Some(open) = &mut self.open {
                open.day = Some(day);
            }
        } else if let Some(rest) = after_bullet(start) {
            let above = self.open.as_ref().and_then(|open| open.indent);
            if above.is_some_and(|above| above < indent) {
                self.grow(start, number);
            } else {
                self.begin(number, Some(indent), rest);
            }
        } else {
            self.grow(start, number);
        }
    }

    fn begin(&mut self, line: usize, indent: Option<usize>, text: &str) {
        self.close();
        self.open = Some(OpenStatement {
            line,
            indent,
            parts: vec![text.to_owned()],
            day: None,
        });
    }

    fn grow(&mut self, text: &str, line: usize) {
        match &mut self.open {
            Some(open) => open.parts.push(text.to_owned()),
            None => self.begin(line, None, text),
        }
    }

    fn close(&mut self) {
        let Some(open) = self.open.take() else {
            return;
        };
        let headings = self.headings.iter();
        let of_heading = headings.clone().rev().find_map(|(_, title)| day_in(title));
        self.items.push(MemoryStatement {
            line: open.line,
            text: open.parts.join(" "),
            day: open.day.or(of_heading).or(self.day),
            sections: headings.map(|(_, title)| title.clone()).collect(),
        });
    }
}

fn fence_mark(start: &str) -> Option<String> {
    let mark = start.chars().next().filter(|mark| "`~".contains(*mark))?;
    let n_marks = start.chars().take_while(|it| *it == mark).count();
    (n_marks >= 3).then(|| mark.to_string().repeat(n_marks))
}

fn heading(start: &str) -> Option<(usize, &str)> {
    let level = start.bytes().take_while(|byte| *byte == b'#').count();
    let title = start.get(level..)?;
    ((1..=6).contains(&level) && title.starts_with(' ')).then(|| (level, title.trim()))
}

/// Whether a line consists only of bold text, which is a title for the following lines.
fn is_title(start: &str) -> bool {
    let inner = start.trim_end_matches(':').strip_prefix("**");
    let inner = inner.and_then(|inner| inner.strip_suffix("**"));
    inner.is_some_and(|inner| !inner.contains("**"))
}

/// The day and the text of a line such as `[2026-03-02] - text`, as programs list memories.
fn dated(text: &str) -> Option<(Day, &str)> {
    let (day, rest) = text.strip_prefix('[')?.split_once(']')?;
    let rest = rest
        .trim_start()
        .trim_start_matches(['-', '\u{2013}', '\u{2014}', ':']);
    Some((day.parse().ok()?, rest.trim()))
}

/// The text after a list marker.
fn after_bullet(start: &str) -> Option<&str> {
    let n_digits = start.bytes().take_while(u8::is_ascii_digit).count();
    let rest = if (1..10).contains(&n_digits) {
        start.get(n_digits..)?.strip_prefix(['.', ')'])?
    } else {
        start.strip_prefix(['-', '*', '+', '\u{2022}'])?
    };
    rest.starts_with(char::is_whitespace)
        .then(|| rest.trim_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_statements_are_separate_with_day_and_line() {
        let text = "---\ndate: 2026-03-01\n---\n# Ann\n\nShe plays\nthe cello.\n\n- likes tea\n  - and cake\n- **Work:** Acme\n1. first\n\
                    \n**Title:**\n\n## 2026-03-05\n\n| a | b |\n|---|---|\n```sh\nmake it\n```\n\
                    <!-- a\n- hidden\n-->\n[2026-02-01] - an old thing\nof two lines\n---\n# Other\nlast";
        let found = items(text).into_iter();
        let found = found.map(|it| (it.line, it.day.unwrap().to_string(), it.text));
        let expected = [
            (6, "2026-03-01", "She plays the cello."),
            (9, "2026-03-01", "likes tea - and cake"),
            (11, "2026-03-01", "**Work:** Acme"),
            (12, "2026-03-01", "first"),
            (18, "2026-03-05", "| a | b |"),
            (20, "2026-03-05", "```sh make it ```"),
            (26, "2026-02-01", "an old thing of two lines"),
            (30, "2026-03-01", "last"),
        ];
        let expected = expected.map(|(line, day, text)| (line, day.to_owned(), text.to_owned()));
        assert_eq!(found.collect::<Vec<_>>(), expected);
        assert_eq!(without_html_comments("a <!-- b --> c <!-- d"), "a  c");
    }
}
