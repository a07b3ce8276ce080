//! Lays out Markdown tables in columns, by the display width of their characters.
//!
//! Loses no text: a narrow column wraps its cells, and a table with too many columns prints each row field by
//! field.

use unicode_width::UnicodeWidthChar;

use super::inline::marked;
use super::mark::{Mark, width};
use crate::output::table::{Align, aligned};

const GAP: usize = 2;

/// The narrowest readable column.
const WIDTH_MIN: usize = 5;

/// Whether a line can be a table row.
pub(super) fn is_row(line: &str) -> bool {
    line.trim_start().starts_with('|')
}

/// Whether a line is the rule between headings and rows.
pub(super) fn is_rule(line: &str) -> bool {
    let cells = cells(line);
    !cells.is_empty() && cells.iter().all(|cell| align(cell).is_some())
}

/// Lays out a table in at most `columns`; the first line holds the headings, the second is the rule.
pub(super) fn laid_out(lines: &[String], columns: usize) -> Vec<String> {
    let indent = lines
        .first()
        .map_or(0, |line| line.len() - line.trim_start().len());
    let aligns: Vec<Align> = lines.get(1).map_or_else(Vec::new, |rule| {
        let aligns = cells(rule).into_iter().filter_map(|cell| align(&cell));
        aligns.collect()
    });
    let row = |line: &String| {
        cells(line)
            .iter()
            .map(|cell| marked(cell))
            .collect::<Vec<_>>()
    };
    let shown = lines.iter().take(1).chain(lines.iter().skip(2));
    let mut rows: Vec<Vec<String>> = shown.map(row).collect();
    let n_columns = rows.iter().map(Vec::len).fold(aligns.len(), usize::max);
    for row in &mut rows {
        row.resize(n_columns, String::new());
    }
    let room = columns.saturating_sub(indent + GAP * n_columns.saturating_sub(1));
    let (lines, mark) = match widths(&rows, room) {
        Some(widths) => (
            in_columns(&rows, &aligns, &widths),
            Mark::LaidOut.character().to_string(),
        ),
        None => (field_by_field(&rows), String::new()),
    };
    let before = format!("{mark}{}", " ".repeat(indent));
    lines
        .into_iter()
        .map(|line| format!("{before}{line}").trim_end().to_owned())
        .collect()
}

/// The cells of a row; `\|` is a literal bar.
fn cells(line: &str) -> Vec<String> {
    let line = line.trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    let mut cells = vec![String::new()];
    let mut is_escaped = false;
    for character in line.chars() {
        match (character, cells.last_mut()) {
            ('|', _) if !is_escaped => cells.push(String::new()),
            ('|', Some(cell)) => {
                cell.pop();
                cell.push('|');
            }
            (character, Some(cell)) => cell.push(character),
            (_, None) => {}
        }
        is_escaped = character == '\\' && !is_escaped;
    }
    // A blank rest after the last bar is no cell.
    if cells.len() > 1 && cells.last().is_some_and(|last| last.trim().is_empty()) {
        cells.pop();
    }
    cells.iter().map(|cell| cell.trim().to_owned()).collect()
}

fn align(cell: &str) -> Option<Align> {
    let dashes = cell.trim_start_matches(':').trim_end_matches(':');
    let is_rule = !dashes.is_empty() && dashes.chars().all(|character| character == '-');
    is_rule.then(|| match (cell.starts_with(':'), cell.ends_with(':')) {
        (true, true) => Align::Centre,
        (false, true) => Align::Right,
        (true | false, false) => Align::Left,
    })
}

/// Column widths: those of the widest cells, capped so that the table fits; `None` if the cap is too narrow to
/// read.
fn widths(rows: &[Vec<String>], room: usize) -> Option<Vec<usize>> {
    let n_columns = rows.first().map_or(0, Vec::len);
    let natural: Vec<usize> = (0..n_columns)
        .map(|column| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| width(cell)).max().unwrap_or(0)
        })
        .collect();
    let widest = natural.iter().copied().max().unwrap_or(0);
    let fitting = |cap: &usize| natural.iter().map(|own| own.min(cap)).sum::<usize>() <= room;
    let cap = (1..=widest).rev().find(fitting).unwrap_or(0);
    let is_readable = cap >= WIDTH_MIN.min(widest);
    is_readable.then(|| natural.iter().map(|own| (*own).min(cap)).collect())
}

fn in_columns(rows: &[Vec<String>], aligns: &[Align], widths: &[usize]) -> Vec<String> {
    let mut lines = Vec::new();
    for (number, row) in rows.iter().enumerate() {
        let cells: Vec<Vec<String>> = row
            .iter()
            .zip(widths)
            .map(|(cell, width)| broken(&heading(cell, number), *width))
            .collect();
        let n_lines = cells.iter().map(Vec::len).max().unwrap_or(0);
        for idx in 0..n_lines {
            let parts = cells.iter().zip(widths).enumerate();
            let parts = parts.map(|(column, (lines, width))| {
                let align = aligns.get(column).copied().unwrap_or(Align::Left);
                let line = lines.get(idx).map_or("", String::as_str);
                aligned(line, align, width.saturating_sub(self::width(line)))
            });
            lines.push(parts.collect::<Vec<_>>().join(&" ".repeat(GAP)));
        }
        if number == 0 {
            let rules = widths.iter().map(|width| "-".repeat(*width));
            lines.push(rules.collect::<Vec<_>>().join(&" ".repeat(GAP)));
        }
    }
    lines
}

/// Each row as lines `heading: cell`, with a blank line between rows.
fn field_by_field(rows: &[Vec<String>]) -> Vec<String> {
    let mut lines = Vec::new();
    let Some((headings, rows)) = rows.split_first() else {
        return lines;
    };
    for (number, row) in rows.iter().enumerate() {
        if number > 0 {
            lines.push(String::new());
        }
        for (name, cell) in headings
            .iter()
            .zip(row)
            .filter(|(_, cell)| !cell.is_empty())
        {
            lines.push(format!("{}: {cell}", heading(name, 0)));
        }
    }
    lines
}

/// Makes a cell bold if it is in the first row.
fn heading(cell: &str, row: usize) -> String {
    if row > 0 || cell.is_empty() {
        return cell.to_owned();
    }
    let (on, off) = (Mark::BoldOn.character(), Mark::BoldOff.character());
    let inner = cell.replace([on, off], "");
    format!("{on}{inner}{off}")
}

/// Wraps a cell at `columns`, between words if possible. Styles end with each line, so that they do not spill into
/// the next cell.
fn broken(cell: &str, columns: usize) -> Vec<String> {
    let (mut lines, mut line) = (Vec::new(), String::new());
    for word in cell.split(' ').filter(|word| !word.is_empty()) {
        let gap = if width(&line) > 0 { " " } else { "" };
        if width(&line) + gap.len() + width(word) <= columns {
            line.push_str(gap);
            line.push_str(word);
            continue;
        }
        if !gap.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        for character in word.chars() {
            let own = match Mark::of(character) {
                Some(_) => 0,
                None => character.width().unwrap_or(0),
            };
            let used = width(&line);
            if own > 0 && used > 0 && used + own > columns {
                lines.push(std::mem::take(&mut line));
            }
            line.push(character);
        }
    }
    lines.push(line);
    closed(lines)
}

/// Closes open styles at each line end, and reopens them on the next line.
fn closed(lines: Vec<String>) -> Vec<String> {
    let mut open: Vec<Mark> = Vec::new();
    let close = |line: String| {
        let begun: String = open.iter().map(|mark| mark.character()).collect();
        for mark in line.chars().filter_map(Mark::of) {
            if mark.end().is_some() {
                open.push(mark);
            } else {
                open.retain(|begun| begun.end() != Some(mark));
            }
        }
        let ended = open.iter().rev().filter_map(|mark| mark.end());
        let ended: String = ended.map(Mark::character).collect();
        format!("{begun}{line}{ended}")
    };
    lines.into_iter().map(close).collect()
}

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;
