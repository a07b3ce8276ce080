//! Tables in few columns, of wide characters, and with too much to stand side by side.
//!
//! Compares whole lines.

use testkit::Words;

use super::*;

#[track_caller]
fn check(table: &str, columns: usize, expected: &[&str]) {
    let lines: Vec<String> = table.lines().map(str::to_owned).collect();
    let shown: Vec<String> = laid_out(&lines, columns)
        .iter()
        .map(|line| line.chars().filter(|it| Mark::of(*it).is_none()).collect())
        .collect();
    assert_eq!(shown, expected);
}

const HALLS: &str = "| Hall | What it has | Price |\n|---|:-:|--:|\n\
                     | small | a piano and a stage | 300 |\n| large | chairs | 1,200 |";

#[test]
fn table_that_fits_is_as_wide_as_its_cells() {
    check(
        HALLS,
        80,
        &[
            "Hall       What it has      Price",
            "-----  -------------------  -----",
            "small  a piano and a stage    300",
            "large        chairs         1,200",
        ],
    );
}

#[test]
fn narrow_table_wraps_widest_column() {
    check(
        HALLS,
        26,
        &[
            "Hall   What it has   Price",
            "-----  ------------  -----",
            "small  a piano and     300",
            "         a stage",
            "large     chairs     1,200",
        ],
    );
}

#[test]
fn very_narrow_table_lists_rows_field_by_field() {
    check(
        HALLS,
        12,
        &[
            "Hall: small",
            "What it has: a piano and a stage",
            "Price: 300",
            "",
            "Hall: large",
            "What it has: chairs",
            "Price: 1,200",
        ],
    );
}

#[test]
fn table_accepts_ragged_rows_escaped_bars_and_long_words() {
    check(
        "| a | b |\n|--|--|\n| 1 |\n| x \\| y | 2 | 3 |",
        80,
        &["a      b", "-----  -  -", "1", "x | y  2  3"],
    );
    check(
        "| \u{65e5}\u{8a18}\u{65e5}\u{8a18}\u{65e5}\u{8a18} | b |\n|--|--|\n| extraordinarily | c |",
        11,
        &[
            "\u{65e5}\u{8a18}\u{65e5}\u{8a18}  b",
            "\u{65e5}\u{8a18}",
            "--------  -",
            "extraord  c",
            "inarily",
        ],
    );
}

#[test]
fn table_cell_style_restarts_on_wrapped_line() {
    let lines = ["| a | b |", "|---|---|", "| **one two** | c |"].map(str::to_owned);
    let shown = laid_out(&lines, 8).join("/");
    let (on, off) = (Mark::BoldOn.character(), Mark::BoldOff.character());
    let expected = format!("{on}one{off}    c/{on}two{off}");
    shown
        .replace(Mark::LaidOut.character(), "")
        .holds(&expected);
}
