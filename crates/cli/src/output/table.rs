//! Tables with headings, aligned by display width.
//!
//! If a table is too wide, the cells of one cuttable column and of the first column are truncated, with an ellipsis.
//! If that is not enough, the cells of each row are printed below each other, whole.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::human::heading;

#[derive(Debug, Clone, Copy)]
pub struct Column {
    heading: &'static str,
    /// The alignment of its cells.
    align: Align,
    /// Whether its cells are truncated before those of the first column.
    is_cut: bool,
}

impl Column {
    /// A column whose cells are not truncated, unless it is the first.
    pub fn new(heading: &'static str, align: Align) -> Self {
        Self {
            heading,
            align,
            is_cut: false,
        }
    }

    /// The column whose cells are truncated first.
    pub fn cut(heading: &'static str) -> Self {
        Self {
            is_cut: true,
            ..Self::new(heading, Align::Left)
        }
    }
}

/// The alignment of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    Left,
    Right,
}

const GAP: &str = "  ";

/// The minimum width of a truncated column at which rows can still be distinguished.
const CUT_COLUMNS_MIN: usize = 12;

/// The mark of truncated text.
const ELLIPSIS: &str = "\u{2026}";

/// Formats a table with at most `width_max` columns of text; missing cells are empty.
pub fn table(columns: &[Column], rows: &[Vec<String>], width_max: usize) -> String {
    let cell = |row: &Vec<String>, n: usize| row.get(n).cloned().unwrap_or_default();
    let mut widths: Vec<usize> = columns
        .iter()
        .enumerate()
        .map(|(n, column)| {
            let cells = rows.iter().map(|row| cell(row, n).width());
            cells.fold(column.heading.width(), usize::max)
        })
        .collect();
    let gaps = GAP.len() * columns.len().saturating_sub(1);
    let mut excess = (widths.iter().sum::<usize>() + gaps).saturating_sub(width_max);
    let first = columns.iter().position(|column| column.is_cut);
    for n in first.into_iter().chain([0]) {
        if let Some(width) = widths.get_mut(n) {
            let cut = width.saturating_sub(CUT_COLUMNS_MIN).min(excess);
            *width -= cut;
            excess -= cut;
        }
    }
    if excess > 0 {
        return stacked(columns, rows);
    }
    let line = |cell: &dyn Fn(usize) -> String| {
        let cells = columns.iter().zip(&widths).enumerate();
        let cells = cells.map(|(n, (column, width))| {
            let cell = cut(&cell(n), *width);
            let free = width.saturating_sub(cell.width());
            let fill = " ".repeat(free);
            match column.align {
                Align::Left => cell + &fill,
                Align::Right => fill + &cell,
            }
        });
        cells.collect::<Vec<_>>().join(GAP).trim_end().to_owned()
    };
    let name = |n: usize| columns.get(n).map_or("", |it| it.heading).to_owned();
    let headings = heading(&line(&name));
    let body = rows.iter().map(|row| line(&|n| cell(row, n)) + "\n");
    format!("{headings}\n{}", body.collect::<String>())
}

/// One line per cell, with a blank line between rows.
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

/// Truncates a cell to `width` columns.
fn cut(cell: &str, width: usize) -> String {
    if cell.width() <= width {
        return cell.to_owned();
    }
    let mut room = width.saturating_sub(ELLIPSIS.width());
    let fits = |character: &char| {
        let own = character.width().unwrap_or(0);
        let fits = own <= room;
        room = room.saturating_sub(own);
        fits
    };
    cell.chars().take_while(fits).collect::<String>() + ELLIPSIS
}

#[cfg(test)]
mod tests {
    use anstream::adapter::strip_str;

    use super::*;

    #[test]
    fn table_counts_wide_characters_as_two_columns() {
        let columns = [
            Column::new("NAME", Align::Left),
            Column::new("N", Align::Right),
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

    #[test]
    fn table_cuts_long_first_cell_with_ellipsis() {
        let columns = ["NAME", "N"].map(|heading| Column::new(heading, Align::Left));
        let rows = [vec![
            "a-very-long-name-of-a-session".to_owned(),
            "1".to_owned(),
        ]];
        let shown = |width_max| strip_str(&table(&columns, &rows, width_max)).to_string();
        assert_eq!(
            shown(20),
            "NAME               N\na-very-long-name\u{2026}  1\n"
        );
        assert!(shown(usize::MAX).contains("a-very-long-name-of-a-session  1"));
    }
}
