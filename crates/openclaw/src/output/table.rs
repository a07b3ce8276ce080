//! Columns under headings, aligned by what a terminal shows.
//!
//! Never cuts a cell.

use unicode_width::UnicodeWidthStr;

/// A column of a table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Column {
    /// What stands above it.
    pub(super) heading: &'static str,
    /// On which side its cells are even.
    pub(super) align: Align,
}

/// On which side cells are even.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Align {
    /// Text.
    Left,
    /// Numbers.
    Right,
}

const GAP: &str = "  ";

/// Headings and rows; a row that lacks cells is filled with empty ones.
pub(super) fn table(columns: &[Column], rows: &[Vec<String>]) -> String {
    let cell = |row: &Vec<String>, n: usize| row.get(n).cloned().unwrap_or_default();
    let widths: Vec<usize> = columns
        .iter()
        .enumerate()
        .map(|(n, column)| {
            let cells = rows.iter().map(|row| cell(row, n).width());
            cells.fold(column.heading.width(), usize::max)
        })
        .collect();
    let line = |cells: Vec<String>| {
        let cells: Vec<String> = cells
            .iter()
            .zip(columns)
            .zip(&widths)
            .map(|((cell, column), width)| pad(cell, column.align, *width))
            .collect();
        format!("{}\n", cells.join(GAP).trim_end())
    };
    let headings = line(
        columns
            .iter()
            .map(|column| column.heading.to_owned())
            .collect(),
    );
    let body = rows
        .iter()
        .map(|row| line((0..columns.len()).map(|n| cell(row, n)).collect()));
    std::iter::once(headings).chain(body).collect()
}

fn pad(cell: &str, align: Align, width: usize) -> String {
    let fill = " ".repeat(width.saturating_sub(cell.width()));
    match align {
        Align::Left => format!("{cell}{fill}"),
        Align::Right => format!("{fill}{cell}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_characters_take_two_columns() {
        let columns = [
            Column {
                heading: "NAME",
                align: Align::Left,
            },
            Column {
                heading: "N",
                align: Align::Right,
            },
        ];
        let rows = [
            vec!["日記".to_owned(), "1,234".to_owned()],
            vec!["main".to_owned()],
        ];
        insta::assert_snapshot!(table(&columns, &rows), @r"
        NAME      N
        日記  1,234
        main
        ");
    }
}
