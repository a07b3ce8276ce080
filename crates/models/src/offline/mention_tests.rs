//! Which identifiers are listed, and with which words.

use super::super::fixture::notes_of;
use super::OUTPUT_MENTIONS_MAX;

#[track_caller]
fn check(talk: &str, expected: &str) {
    let notes = notes_of(talk);
    let listed: Vec<&str> = notes
        .lines()
        .filter_map(|line| line.strip_prefix("- Also mentioned: "))
        .collect();
    assert_eq!(listed.join(" | "), expected, "{notes}");
}

#[test]
fn figures_stand_with_their_words_and_paths_alone() {
    check(
        "2026-04-20 assistant: The own share is 150 EUR, and the water takes about 30% of the whole budget of the garden in July, says the table. I would look at src/a/main.rs. The module lives in main.py of the old tree.",
        "The own share is 150 EUR; water takes about 30%; The module lives in main.py of the old tree; src/a/main.rs [e1]",
    );
}

#[test]
fn a_figure_without_words_or_from_an_output_alone_is_not_listed() {
    check(
        "
        2026-04-20 assistant: 91%
        2026-04-20 tool run: 2026-02-01;12.00 EUR;44%;/srv/data/list.csv
        2026-04-20 tool run: 2026-02-01;12.00 EUR;44%
        ",
        "/srv/data/list.csv [e2]",
    );
}

#[test]
fn a_person_s_figures_and_those_that_come_up_again_are_listed() {
    check(
        "
        2026-04-20 assistant: 12%
        2026-04-20 user: 7%
        2026-04-20 assistant: 12%
        ",
        "12%; 7% [e1, e2]",
    );
}

#[test]
fn rows_joints_and_quotations_leave_whole_phrases() {
    check(
        "
        2026-04-20 assistant: | Insurer | Price | Share |
        | |---|---|---|
        | | Casa Norte | 367.45 EUR | 250 EUR |
        |
        | We measured for a month or so, and its terrace is closed until 2026-05-01.
        | For the slide of the talk next week I would rather round it all: \"about 240 euros for cables\".
        ",
        "its terrace is closed until 2026-05-01; about 240 euros for cables; Casa Norte | 250 EUR; Casa Norte | 367.45 EUR [e1]",
    );
}

#[test]
fn a_long_listing_of_a_tool_is_not_listed_whole() {
    let files: Vec<String> = (1..40).map(|n| format!("/srv/f{n:02}.whl")).collect();
    let talk = format!("2026-04-20 tool run: {}", files.join("\n| "));
    check(
        &talk,
        &format!("{} [e1]", files[..OUTPUT_MENTIONS_MAX].join("; ")),
    );
}
