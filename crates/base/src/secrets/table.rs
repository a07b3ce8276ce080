//! Finds secrets in table columns by their header, in Markdown tables and delimited values.
//!
//! Uses no word lists; a header is a cell that contains only a cue.

use std::ops::Range;

use super::SecretSpan;
use super::likeness::{PASSWORD_CHARS_MAX, PASSWORD_CHARS_MIN, SecretLikeness, likeness};
use super::patterns::{PATTERNS, SecretCue};

/// Maximum number of bytes in a header line on each side of a cue.
const HEADER_BYTES_MAX: usize = 1024;

/// Cell separators. The first one that makes the cue a whole cell is used.
const SEPARATORS: [char; 4] = ['|', '\t', ';', ','];

/// The separator of Markdown. All other separators also occur between values in code.
const PIPE: char = '|';

/// How to read the rows below a header.
struct SecretTable {
    separator: char,
    n_cells: usize,
    columns: Vec<SecretColumn>,
}

struct SecretColumn {
    kind: &'static str,
    at: usize,
    /// Minimum likeness of a secret in this column.
    least: SecretLikeness,
    numbers: ColumnNumbers,
}

/// The meaning of the numbers in a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ColumnNumbers {
    /// PINs or codes, each of which is a secret.
    Open,
    /// Counts, such as those below `Pass`.
    Count,
}

/// The secrets in columns whose header is a cue.
pub(super) fn find(text: &str, cues: &[SecretCue]) -> Vec<SecretSpan<'static>> {
    let mut found = Vec::new();
    // Each row is read only once, so that the time is linear in the table for any number of cues.
    let mut done = 0;
    for (number, cue) in cues.iter().enumerate() {
        if cue.start < done {
            continue;
        }
        let Some((line, separator)) = header(text, cue) else {
            continue;
        };
        let beside = cues.get(number..).unwrap_or_default();
        let beside = beside.iter().take_while(|cue| cue.end <= line.end);
        let cells = cells(text, line.clone(), separator);
        let is_first_line = separator == PIPE || !follows_row(text, &line, separator, cells.len());
        let columns = beside.filter_map(|cue| {
            let mut column = SecretColumn::new(text, &cells, cue)?;
            // A password has its name to the left. The first column contains names of fields, and so does a column in
            // a middle row.
            let before = cells.get(..column.at)?;
            let is_first = before.iter().all(|cell| inner(text, cell).is_empty());
            let least = match (separator, is_first_line) {
                (PIPE, _) => column.least,
                (_, false) => SecretLikeness::Strong,
                (_, true) if is_first => SecretLikeness::Weak,
                (_, true) => column.least,
            };
            column.least = column.least.max(least);
            Some(column)
        });
        let table = SecretTable {
            separator,
            n_cells: cells.len(),
            columns: columns.collect(),
        };
        done = table.below(text, line.end, &mut found);
    }
    found
}

/// The line of a cue and the separator of its cells, if the cue fills a cell.
fn header(text: &str, cue: &SecretCue) -> Option<(Range<usize>, char)> {
    PATTERNS.announced(cue)?;
    let before = text.get(..cue.start)?;
    let behind = text.get(cue.end..)?;
    // This is a fast path: most cues are in prose, whose lines need not be split.
    let is_mark = |c: &char| *c != '\n' && *c != '\t' && is_mark(*c);
    let is_end = |c: char| c == '\n' || SEPARATORS.contains(&c);
    let mut outside = before.chars().rev().skip_while(is_mark).take(1);
    let mut outside_behind = behind.chars().skip_while(is_mark).take(1);
    if !outside.all(is_end) || !outside_behind.all(is_end) {
        return None;
    }
    let length = |bytes: &mut dyn Iterator<Item = u8>| {
        let bytes = bytes.take(HEADER_BYTES_MAX + 1);
        let n_bytes = bytes.take_while(|byte| *byte != b'\n').count();
        (n_bytes <= HEADER_BYTES_MAX).then_some(n_bytes)
    };
    let start = cue.start - length(&mut before.bytes().rev())?;
    let line = start..cue.end + length(&mut behind.bytes())?;
    let written = text.get(line.clone())?;
    let is_header = |separator: &char| {
        let cells = cells(text, line.clone(), *separator);
        // `password,` on a line of its own is an item of a list in code.
        let names = cells.iter().filter_map(|cell| text.get(inner(text, cell)));
        let mut names = names.filter(|name| !name.is_empty());
        let n_names = names.clone().count();
        let has_number = names.any(|name| name.chars().all(char::is_numeric));
        let is_code = written.contains(['{', '}', '=']);
        let is_row = separator == &PIPE || n_names > 1 && !has_number && !is_code;
        let is_spaced = separator == &',' && written.contains(", ");
        let own = cells.iter().any(|cell| is_cue(text, cell, cue));
        own && is_row && !is_spaced
    };
    let mut separators = SEPARATORS.into_iter();
    let separator =
        separators.find(|separator| written.contains(*separator) && is_header(separator))?;
    let next = text.get(line.end..)?.strip_prefix('\n')?;
    let is_ruled = next.split('\n').next().is_some_and(is_rule);
    (separator != PIPE || is_ruled).then_some((line, separator))
}

/// Whether the previous line has the same number of cells.
fn follows_row(text: &str, line: &Range<usize>, separator: char, n_cells: usize) -> bool {
    let before = text.get(..line.start);
    let Some(before) = before.and_then(|it| it.strip_suffix('\n')) else {
        return false;
    };
    let n_bytes = before.bytes().rev().take(HEADER_BYTES_MAX);
    let start = before.len() - n_bytes.take_while(|byte| *byte != b'\n').count();
    cells(text, start..before.len(), separator).len() == n_cells
}

/// Whether a line only separates a header from its rows, as in `|:-:|---|`. Some tables use `+`.
fn is_rule(line: &str) -> bool {
    line.contains('-')
        && line.contains(['|', '+'])
        && line.chars().all(|c| "|-+: >\t\r".contains(c))
}

fn is_cue(text: &str, cell: &Range<usize>, cue: &SecretCue) -> bool {
    inner(text, cell) == (cue.start..cue.end)
}

impl SecretTable {
    /// Collects the secrets of the rows below a header; returns the position after the table.
    fn below(&self, text: &str, mut at: usize, found: &mut Vec<SecretSpan<'static>>) -> usize {
        while let Some(rest) = text.get(at..).and_then(|rest| rest.strip_prefix('\n')) {
            let row = rest.split('\n').next().unwrap_or("");
            if !row.contains(self.separator) && !is_rule(row) {
                break;
            }
            let start = at + 1;
            at = start + row.len();
            let cells = cells(text, start..at, self.separator);
            found.extend(self.columns.iter().filter_map(|column| {
                let range = self.secret(text, &cells, column)?;
                let kind = column.kind;
                Some(SecretSpan { kind, range })
            }));
        }
        at
    }

    fn secret(
        &self,
        text: &str,
        cells: &[Range<usize>],
        column: &SecretColumn,
    ) -> Option<Range<usize>> {
        let n_more = cells.len().saturating_sub(self.n_cells);
        let cell = cells.get(column.at)?;
        if self.separator == PIPE && column.least == SecretLikeness::Plain {
            // A pipe inside a password splits its cell into two; a pipe in an earlier cell shifts the cell.
            let last = cells.get(column.at + n_more)?;
            let range = inner(text, &(cell.start..last.end));
            return column.is_secret(text.get(range.clone())?).then_some(range);
        }
        let range = inner(text, cell);
        let value = text.get(range.clone())?;
        // With other separators, a line of prose may follow the table.
        let is_row = self.separator == PIPE || cells.len() == self.n_cells;
        let is_token =
            !value.contains(char::is_whitespace) && likeness(value) >= SecretLikeness::Weak;
        (column.is_secret(value) && (is_row || is_token)).then_some(range)
    }
}

impl SecretColumn {
    fn new(text: &str, cells: &[Range<usize>], cue: &SecretCue) -> Option<SecretColumn> {
        let at = cells.iter().position(|cell| is_cue(text, cell, cue))?;
        let announcement = PATTERNS.announced(cue)?;
        let (least, numbers) = match () {
            () if announcement.is_ambiguous => (SecretLikeness::Strong, ColumnNumbers::Count),
            () if cue.is_part(text) => (SecretLikeness::Strong, ColumnNumbers::Open),
            () if announcement.is_number => (SecretLikeness::Weak, ColumnNumbers::Open),
            () => (SecretLikeness::Plain, ColumnNumbers::Open),
        };
        let kind = &announcement.kind;
        Some(SecretColumn {
            kind,
            at,
            least,
            numbers,
        })
    }

    /// Whether a cell of the column contains a secret.
    fn is_secret(&self, cell: &str) -> bool {
        let n_chars = cell.chars().count();
        let is_number = self.numbers == ColumnNumbers::Open && cell.chars().all(char::is_numeric);
        (PASSWORD_CHARS_MIN..=PASSWORD_CHARS_MAX).contains(&n_chars)
            && !cell.contains('\0')
            && (is_number || likeness(cell) >= self.least)
    }
}

/// The range of a cell without surrounding blanks and marks.
fn inner(text: &str, cell: &Range<usize>) -> Range<usize> {
    let written = text.get(cell.clone()).unwrap_or("");
    let behind = written.trim_start_matches(is_mark);
    let start = cell.end - behind.len();
    start..start + behind.trim_end_matches(is_mark).len()
}

fn is_mark(character: char) -> bool {
    character.is_whitespace() || matches!(character, '*' | '`' | '"' | '\'')
}

/// The cells of a line. Ignores separators inside a cell that starts with a quotation mark, and escaped pipes.
fn cells(text: &str, line: Range<usize>, separator: char) -> Vec<Range<usize>> {
    let line = match separator {
        PIPE => without_frame(text, line),
        _ => line,
    };
    let mut cells = Vec::new();
    let mut start = line.start;
    let mut first = None;
    let mut is_quoted = false;
    let mut is_escaped = false;
    for (at, c) in text.get(line.clone()).unwrap_or("").char_indices() {
        if c == separator && !is_quoted && !is_escaped {
            cells.push(start..line.start + at);
            start = line.start + at + c.len_utf8();
            first = None;
            continue;
        }
        if !c.is_whitespace() {
            first = first.or(Some(c));
        }
        is_quoted ^= separator != PIPE && c == '"' && first == Some('"');
        is_escaped = separator == PIPE && c == '\\';
    }
    cells.push(start..line.end);
    cells
}

/// A Markdown row without its optional outer pipes and its quotation marks (`>`).
fn without_frame(text: &str, line: Range<usize>) -> Range<usize> {
    let written = text.get(line.clone()).unwrap_or("");
    let behind = written.trim_start_matches([' ', '\t', '>']);
    let behind = behind.strip_prefix(PIPE).unwrap_or(behind);
    let start = line.end - behind.len();
    let inner = behind.trim_end();
    let inner = inner.strip_suffix(PIPE).unwrap_or(inner);
    start..start + inner.len()
}
