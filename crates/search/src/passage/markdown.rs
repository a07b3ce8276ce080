//! Cuts a Markdown file into passages.
//!
//! Accepts any text; unknown syntax is a paragraph.

use base::{Day, LineRange, Origin, redact_lines};

use super::model::{Heading, Passage, PassageKind};
use super::signs::speaker;
use super::split::{PIECE_CHARS_MAX, split};
use super::stretch::{Stretch, Stretches};
use crate::note_source::{LineOrigins, NoteLabel};

/// Longest passage in bytes that is shown whole; a longer one is split.
const LINE_BYTES_MAX: usize = 16 * 1024;

/// A Markdown file.
#[derive(Debug, Clone, Copy)]
pub struct MarkdownFile<'t> {
    pub text: &'t str,
    /// The words in its file name.
    pub title: &'t str,
    /// The day in its file name, if any.
    pub day: Option<Day>,
    /// The origins of its lines.
    pub origins: &'t LineOrigins,
    /// How its owner names and files it, besides by its file name.
    pub label: Option<&'t NoteLabel>,
}

/// Passes the stretches of a file to `sink`, in order.
pub fn cut_markdown(file: &MarkdownFile<'_>, sink: &mut dyn FnMut(Stretch)) {
    let MarkdownFile {
        text,
        title,
        day,
        origins,
        label,
    } = *file;
    let joined = |texts: Option<&Vec<String>>| {
        let texts = texts.into_iter().flatten();
        // A name of several lines would be several names.
        let lines = texts.map(|text| text.replace('\n', " "));
        lines.collect::<Vec<_>>().join("\n")
    };
    let mut cutter = PassageCutter {
        stretches: Stretches::default(),
        headings: Vec::new(),
        heading: Heading {
            path: title.replace('\n', " "),
            day,
            names: joined(label.map(|label| &label.names)),
            topics: joined(label.map(|label| &label.topics)),
        },
        title,
        day,
        open: None,
        fence: None,
        bare_heading: None,
        table: None,
        origins,
        sink,
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    // Redact before cutting: one line of a multi-line key is not recognisable.
    let text = redact_lines(text);
    let lines = text.split('\n');
    let lines = lines.map(|line| line.strip_suffix('\r').unwrap_or(line));
    let mut lines = lines.zip(1..).peekable();
    while let Some((line, number)) = lines.next() {
        let next = lines.peek().map(|(next, _)| *next);
        cutter.line(line, number, next);
    }
    cutter.end();
}

struct PassageCutter<'t, 's> {
    stretches: Stretches,
    /// Levels and texts of the enclosing headings.
    headings: Vec<(usize, String)>,
    heading: Heading,
    title: &'t str,
    day: Option<Day>,
    open: Option<OpenPassage>,
    /// The fence that opened a code block.
    fence: Option<String>,
    /// Level and passage of a heading with nothing below it so far.
    bare_heading: Option<(usize, Passage)>,
    table: Option<OpenTable>,
    origins: &'t LineOrigins,
    sink: &'s mut dyn FnMut(Stretch),
}

/// An unfinished passage.
struct OpenPassage {
    kind: PassageKind,
    lines: LineRange,
    text: String,
    n_chars: usize,
    origin: Origin,
}

/// A table with a header, which is a heading of its rows.
struct OpenTable {
    /// The headings above the table.
    path: String,
    /// The header, until there is a row.
    bare_header: Option<(String, usize, Origin)>,
}

impl PassageCutter<'_, '_> {
    /// Takes the next line; `next` is the one after it.
    fn line(&mut self, line: &str, number: usize, next: Option<&str>) {
        if self.fence.is_some() {
            return self.code_line(line, number);
        }
        let origin = self.origins.get(&number).copied();
        let origin = origin.unwrap_or(Origin::Owner);
        let start = line.trim_start();
        if !start.starts_with('|') {
            self.end_table();
        }
        if let Some(mark) = fence_mark(start) {
            self.close();
            self.fence = Some(mark);
            self.grow(PassageKind::Code, line, number, origin);
        } else if start.is_empty() || is_rule(start) {
            self.close();
        } else if let Some((level, text)) = heading(start) {
            self.begin_section(level, text, line, number);
        } else if start.starts_with('|') {
            self.close();
            if self.table.is_none() && next.is_some_and(is_delimiter_row) {
                self.begin_table(line, number, origin);
            } else if start.chars().any(char::is_alphanumeric) {
                if let Some(table) = &mut self.table {
                    table.bare_header = None;
                }
                self.grow(PassageKind::TableRow, line, number, origin);
                self.close();
            }
        } else if after_bullet(start).is_some() {
            self.close();
            self.grow(PassageKind::Bullet, line, number, origin);
        } else {
            let open = self.open.as_ref();
            let kind = open.map_or(PassageKind::Paragraph, |open| open.kind);
            self.grow(kind, line, number, origin);
        }
    }

    fn code_line(&mut self, line: &str, number: usize) {
        self.grow(PassageKind::Code, line, number, Origin::Owner);
        let is_end = self.fence.as_ref().is_some_and(|mark| {
            let found = line.trim();
            found.starts_with(mark.as_str()) && found.chars().all(|c| mark.starts_with(c))
        });
        if is_end {
            self.fence = None;
            self.close();
        }
    }

    /// Adds a line to the open passage, or opens one; closes a full one first.
    fn grow(&mut self, kind: PassageKind, line: &str, number: usize, origin: Origin) {
        let n_chars = line.chars().count();
        let is_full = |open: &OpenPassage| open.n_chars + n_chars >= PIECE_CHARS_MAX;
        if self.open.as_ref().is_some_and(is_full) {
            self.close();
        }
        match &mut self.open {
            Some(open) => {
                open.text.push('\n');
                open.text.push_str(line);
                open.n_chars += n_chars + 1;
                open.lines.end = number;
            }
            None => {
                self.open = Some(OpenPassage {
                    kind,
                    lines: LineRange::line(number),
                    text: line.to_owned(),
                    n_chars,
                    origin,
                });
            }
        }
    }

    fn close(&mut self) {
        let Some(open) = self.open.take() else {
            return;
        };
        let whole = 0..open.text.len();
        let shown = if whole.len() > LINE_BYTES_MAX {
            split(&open.text, LINE_BYTES_MAX / 4)
        } else {
            vec![whole]
        };
        for range in shown {
            let text = open.text.get(range).unwrap_or("").to_owned();
            let said = after_bullet(text.trim_start()).unwrap_or(&text);
            let passage = Passage {
                kind: open.kind,
                lines: open.lines,
                pieces: split(&text, PIECE_CHARS_MAX),
                speaker: speaker(said).map(|(name, _)| name.to_owned()),
                origin: open.origin,
                text,
            };
            if passage.text.chars().any(char::is_alphanumeric) {
                self.bare_heading = None;
                self.push(passage);
            }
        }
    }

    fn begin_table(&mut self, header: &str, number: usize, origin: Origin) {
        let cells = header.split('|').map(str::trim);
        let cells: Vec<&str> = cells.filter(|cell| !cell.is_empty()).collect();
        let path = self.heading.path.clone();
        let header_cells = cells.join(" | ");
        let with_header = [&*path, &*header_cells];
        let with_header = with_header.into_iter().filter(|text| !text.is_empty());
        self.heading.path = with_header.collect::<Vec<_>>().join("\n");
        self.table = Some(OpenTable {
            path,
            bare_header: Some((header.to_owned(), number, origin)),
        });
    }

    /// Ends the table; a header without rows becomes a row itself.
    fn end_table(&mut self) {
        let Some(table) = self.table.take() else {
            return;
        };
        self.heading.path = table.path;
        if let Some((header, number, origin)) = table.bare_header {
            self.grow(PassageKind::TableRow, &header, number, origin);
            self.close();
        }
    }

    fn push(&mut self, passage: Passage) {
        if let Some(ended) = self.stretches.push(&self.heading, passage, None) {
            (self.sink)(ended);
        }
    }

    fn begin_section(&mut self, level: usize, text: &str, line: &str, number: usize) {
        self.close();
        self.end_bare_heading(level);
        if let Some(ended) = self.stretches.end() {
            (self.sink)(ended);
        }
        self.headings.retain(|(above, _)| *above < level);
        self.headings.push((level, text.to_owned()));
        let texts = self.headings.iter().map(|(_, text)| text.as_str());
        let day = texts.clone().rev().find_map(day_in);
        let path = std::iter::once(self.title).chain(texts);
        let path: Vec<&str> = path.filter(|text| !text.is_empty()).collect();
        self.heading.path = path.join("\n");
        self.heading.day = day.or(self.day);
        if text.chars().any(char::is_alphabetic) {
            let passage = Passage {
                kind: PassageKind::Heading,
                lines: LineRange::line(number),
                text: line.to_owned(),
                pieces: split(line, PIECE_CHARS_MAX),
                speaker: None,
                origin: Origin::Owner,
            };
            self.bare_heading = Some((level, passage));
        }
    }

    /// A heading becomes a passage only if neither text nor a deeper heading follows.
    fn end_bare_heading(&mut self, next_level: usize) {
        if let Some((level, passage)) = self.bare_heading.take()
            && next_level <= level
        {
            self.push(passage);
        }
    }

    fn end(&mut self) {
        self.close();
        self.end_table();
        self.end_bare_heading(0);
        if let Some(ended) = self.stretches.end() {
            (self.sink)(ended);
        }
    }
}

fn fence_mark(start: &str) -> Option<String> {
    let mark = start.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let n_marks = start.chars().take_while(|c| *c == mark).count();
    let is_inline = mark == '`' && start.get(n_marks..).is_some_and(|rest| rest.contains('`'));
    (n_marks >= 3 && !is_inline).then(|| mark.to_string().repeat(n_marks))
}

/// Whether this is the row below the header of a table, such as `|---|:-:|`.
fn is_delimiter_row(line: &str) -> bool {
    let line = line.trim();
    let is_of_it = |c: char| "|-: \t".contains(c);
    line.starts_with('|') && line.contains('-') && line.chars().all(is_of_it)
}

fn is_rule(start: &str) -> bool {
    let marks = start.trim_end().replace([' ', '\t'], "");
    let is_all = |mark: &char| marks.trim_matches(*mark).is_empty();
    start.len() >= 3 && ['-', '*', '_', '='].iter().any(is_all)
}

/// Heading level of a line in bold: below all others.
const BOLD_LEVEL: usize = 7;

fn heading(start: &str) -> Option<(usize, &str)> {
    let level = start.bytes().take_while(|byte| *byte == b'#').count();
    if (1..BOLD_LEVEL).contains(&level) {
        let text = start.get(level..)?;
        return (text.is_empty() || text.starts_with(char::is_whitespace))
            .then(|| (level, text.trim().trim_end_matches('#').trim_end()));
    }
    let bold = start.trim_end().trim_end_matches(':');
    let inner = bold.strip_prefix("**")?.strip_suffix("**")?;
    (!inner.contains("**")).then(|| (BOLD_LEVEL, inner.trim().trim_end_matches(':')))
}

/// The text after a list marker.
fn after_bullet(start: &str) -> Option<&str> {
    let n_digits = start.bytes().take_while(u8::is_ascii_digit).count();
    let rest = if (1..10).contains(&n_digits) {
        start.get(n_digits..)?.strip_prefix(['.', ')'])?
    } else {
        start.strip_prefix(['-', '*', '+', '\u{2022}'])?
    };
    (rest.is_empty() || rest.starts_with(char::is_whitespace)).then(|| rest.trim_start())
}

/// The first ISO date in a text.
pub(crate) fn day_in(text: &str) -> Option<Day> {
    let starts = text.char_indices().map(|(start, _)| start);
    starts
        .filter_map(|start| text.get(start..start.checked_add(10)?))
        .find_map(|part| part.parse().ok())
}

#[cfg(test)]
#[path = "markdown_tests.rs"]
mod tests;
