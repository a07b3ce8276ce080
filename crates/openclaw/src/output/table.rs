//! Columns under headings, aligned by what a terminal shows.
//!
//! Never cuts a cell: where a line has no room for a row, its cells stand below each other.

use unicode_width::UnicodeWidthStr;

use super::human::heading;

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

/// Headings and rows in lines of at most `width_max`; a row that lacks cells is filled with empty ones.
pub(super) fn table(columns: &[Column], rows: &[Vec<String>], width_max: usize) -> String {
    let cell = |row: &Vec<String>, n: usize| row.get(n).cloned().unwrap_or_default();
    let widths: Vec<usize> = columns
        .iter()
        .enumerate()
        .map(|(n, column)| {
            let cells = rows.iter().map(|row| cell(row, n).width());
            cells.fold(column.heading.width(), usize::max)
        })
        .collect();
    let gaps = GAP.len() * columns.len().saturating_sub(1);
    if widths.iter().sum::<usize>() + gaps > width_max {
        return stacked(columns, rows);
    }
    let line = |cells: Vec<String>| {
        let cells: Vec<String> = cells
            .iter()
            .zip(columns)
            .zip(&widths)
            .map(|((cell, column), width)| pad(cell, column.align, *width))
            .collect();
        cells.join(GAP).trim_end().to_owned()
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
    std::iter::once(heading(&headings))
        .chain(body)
        .flat_map(|line| [line, "\n".to_owned()])
        .collect()
}

/// A line for each cell, a blank one between rows.
fn stacked(columns: &[Column], rows: &[Vec<String>]) -> String {
    let headings = columns.iter().map(|column| column.heading.width());
    let width = headings.max().unwrap_or(0);
    let row = |row: &Vec<String>| -> String {
        let cells = columns.iter().zip(row);
        let lines = cells.flat_map(|(column, cell)| {
            let fill = " ".repeat(width.saturating_sub(column.heading.width()));
            [heading(column.heading), fill, format!("{GAP}{cell}\n")]
        });
        lines.collect()
    };
    rows.iter().map(row).collect::<Vec<_>>().join("\n")
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
    use anstream::adapter::strip_str;

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
        let shown = |width_max| strip_str(&table(&columns, &rows, width_max)).to_string();
        insta::assert_snapshot!(shown(11), @r"
        NAME      N
        日記  1,234
        main
        ");
        insta::assert_snapshot!(shown(10), @r"
        NAME  日記
        N     1,234

        NAME  main
        ");
    }
}
