//! Figures, identifiers and names in several scripts.

use super::*;
use crate::figures::figures;

#[test]
fn figures_are_read_whole_and_without_leading_zeros() {
    let read = |text: &str| figures(text).into_iter().collect::<Vec<_>>();
    assert_eq!(
        read("1,200 and 3.5 on 2026-04-05"),
        ["1200", "2026", "3", "4", "5"]
    );
    assert_eq!(read("12.000.000 EUR, 007"), ["12000000", "7"]);
    assert_eq!(read("no figure"), Vec::<String>::new());
}

#[test]
fn identifiers_are_addresses_paths_and_codes() {
    let read = |text: &str| identifiers(text).into_iter().collect::<Vec<_>>();
    assert_eq!(
        read("Mail anna@example.org the file src/main.rs, see (example.org) and B12."),
        ["B12", "anna@example.org", "example.org", "src/main.rs"]
    );
    assert_eq!(read("My name is Anna. I am 36."), Vec::<String>::new());
}

#[test]
fn names_are_capitalised_inside_sentences() {
    let read = |text: &str| names(text).into_iter().collect::<Vec<_>>();
    assert_eq!(
        read("My sister Ana lives in Oslo. She likes Bergen."),
        ["Ana", "Bergen", "Oslo"]
    );
    assert_eq!(
        read("\u{30de}\u{30e9}\u{3055}\u{3093}"),
        ["\u{30de}\u{30e9}"]
    );
}
