//! Finds secrets in the columns of tables that a header names: tables of Markdown, and values between commas.
//!
//! Knows no words; a header is a cell that holds a cue and nothing else.

use std::ops::Range;

use super::Found;
use super::likeness::{Likeness, PASSWORD_CHARS_MAX, PASSWORD_CHARS_MIN, likeness};
use super::patterns::{Cue, PATTERNS};

/// Bytes of a header on each side of a cue; a longer line is none.
const HEADER_BYTES_MAX: usize = 1024;

/// What parts cells; the first that makes the cue a cell is taken.
const SEPARATORS: [char; 4] = ['|', '\t', ';', ','];

/// A column of secrets.
struct Column {
    kind: &'static str,
    at: usize,
}

/// The secrets below the cues that are headers.
pub(super) fn find(text: &str, cues: &[Cue]) -> Vec<Found<'static>> {
    let mut found = Vec::new();
    // Rows are read once, so that a table of many cues takes time with its length alone.
    let mut done = 0;
    for (number, cue) in cues.iter().enumerate() {
        if cue.start < done {
            continue;
        }
        let Some((line, separator)) = header(text, cue) else {
            continue;
        };
        let cells = cells(text, line.clone(), separator);
        let beside = cues.get(number..).unwrap_or_default();
        let beside = beside.iter().take_while(|cue| cue.end <= line.end);
        let columns: Vec<Column> = beside
            .filter_map(|cue| {
                let at = cells.iter().position(|cell| is_cue(text, cell, cue))?;
                let kind = &PATTERNS.told(cue)?.kind;
                Some(Column { kind, at })
            })
            .collect();
        done = below(
            text,
            (line.end, separator, cells.len()),
            &columns,
            &mut found,
        );
    }
    found
}

/// The line of a cue and what parts its cells, if the cue is the whole of one.
fn header(text: &str, cue: &Cue) -> Option<(Range<usize>, char)> {
    PATTERNS.told(cue)?;
    let before = text.get(..cue.start)?;
    let behind = text.get(cue.end..)?;
    let n_before = before.bytes().rev().take(HEADER_BYTES_MAX);
    let n_before = n_before.take_while(|byte| *byte != b'\n').count();
    let n_behind = behind.bytes().take(HEADER_BYTES_MAX);
    let n_behind = n_behind.take_while(|byte| *byte != b'\n').count();
    let line = cue.start - n_before..cue.end + n_behind;
    let written = text.get(line.clone())?;
    let is_header = |separator: &char| {
        let cells = cells(text, line.clone(), *separator);
        let is_spaced = separator == &',' && written.contains(", ");
        let own = cells.iter().any(|cell| is_cue(text, cell, cue));
        cells.len() > 1 && own && !is_spaced
    };
    let separator = SEPARATORS.into_iter().find(is_header)?;
    let next = text.get(line.end..)?.strip_prefix('\n')?;
    let rule = next.split('\n').next()?;
    let is_rule = rule.contains("--") && rule.trim().chars().all(|c| "|-: ".contains(c));
    (separator != '|' || is_rule).then_some((line, separator))
}

fn is_cue(text: &str, cell: &Range<usize>, cue: &Cue) -> bool {
    inner(text, cell) == (cue.start..cue.end)
}

/// The secrets of the rows below a header, and where the table ends.
fn below(
    text: &str,
    (mut at, separator, n_cells): (usize, char, usize),
    columns: &[Column],
    found: &mut Vec<Found<'static>>,
) -> usize {
    while let Some(rest) = text.get(at..).and_then(|rest| rest.strip_prefix('\n')) {
        let start = at + 1;
        let end = start + rest.find('\n').unwrap_or(rest.len());
        let cells = cells(text, start..end, separator);
        if cells.len() != n_cells {
            break;
        }
        found.extend(columns.iter().filter_map(|column| {
            let range = inner(text, cells.get(column.at)?);
            let kind = column.kind;
            is_value(text.get(range.clone())?).then_some(Found { kind, range })
        }));
        at = end;
    }
    at
}

/// Whether the cell of a column of secrets holds one.
fn is_value(cell: &str) -> bool {
    let n_chars = cell.chars().count();
    let is_number = cell.chars().all(char::is_numeric);
    (PASSWORD_CHARS_MIN..=PASSWORD_CHARS_MAX).contains(&n_chars)
        && !cell.contains('\0')
        && (is_number || likeness(cell) > Likeness::Never)
}

/// A cell without the blanks and marks around it.
fn inner(text: &str, cell: &Range<usize>) -> Range<usize> {
    let is_mark = |c: char| c.is_whitespace() || matches!(c, '*' | '`' | '"' | '\'');
    let written = text.get(cell.clone()).unwrap_or("");
    let behind = written.trim_start_matches(is_mark);
    let start = cell.end - behind.len();
    start..start + behind.trim_end_matches(is_mark).len()
}

/// The cells of a line; a separator in quotation marks parts none.
fn cells(text: &str, line: Range<usize>, separator: char) -> Vec<Range<usize>> {
    let mut cells = Vec::new();
    let mut start = line.start;
    let mut is_quoted = false;
    for (at, c) in text.get(line.clone()).unwrap_or("").char_indices() {
        is_quoted ^= c == '"';
        if c == separator && !is_quoted {
            cells.push(start..line.start + at);
            start = line.start + at + c.len_utf8();
        }
    }
    cells.push(start..line.end);
    cells
}
