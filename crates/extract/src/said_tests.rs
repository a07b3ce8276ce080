//! Statements and questions of one message.

use super::*;
use crate::language::language_of;

fn parts(text: &str) -> Vec<(String, bool)> {
    let said = said(text, language_of(text)).sentences.into_iter();
    said.map(|it| (it.text, it.asks)).collect()
}

#[test]
fn statement_before_a_question_stands_by_itself() {
    let expected = [
        ("I take the early ferry on Mondays".to_owned(), false),
        ("does it still run?".to_owned(), true),
    ];
    assert_eq!(
        parts("I take the early ferry on Mondays, does it still run?"),
        expected
    );
}

#[test]
fn question_of_several_clauses_stays_whole() {
    let text = "When I was there, where did I stay?";
    assert_eq!(parts(text), [(text.to_owned(), true)]);
}

#[test]
fn statement_before_a_question_of_several_clauses_stands_by_itself() {
    let said = parts(
        "I keep bees, and I prefer clover honey, so can you tell me when it blooms, and where?",
    );
    assert_eq!(
        said[0],
        ("I keep bees, and I prefer clover honey".to_owned(), false)
    );
    assert!(
        said[1].1 && said[1].0.starts_with("so can you tell me"),
        "{said:?}"
    );
}

#[test]
fn clauses_are_cut_at_their_marks_and_none_is_too_short_to_state_anything() {
    let text = "I keep bees in Turku, you know, and I prefer clover honey over any other";
    let found: Vec<&str> = clauses(text)
        .iter()
        .map(|(from, to)| text.get(*from..*to).unwrap())
        .collect();
    let expected = [
        "I keep bees in Turku, you know, ",
        "and I prefer clover honey over any other",
    ];
    assert_eq!(found, expected);
}

#[test]
fn clause_with_a_quotation_is_left_out() {
    assert_eq!(
        parts("My aunt lives in Turku by the river, and she says \"you never write to me\"."),
        [("My aunt lives in Turku by the river".to_owned(), false)]
    );
    assert!(parts("He said \"I have sold all of my boats\".").is_empty());
}

#[test]
fn code_and_quoted_lines_are_not_said() {
    assert!(parts("> I moved to Turku last week\n```\nlet boat = 3;\n```").is_empty());
}

#[test]
fn long_sentence_is_cut_where_a_clause_ends() {
    let text = format!(
        "I sail, {}",
        "and the wind is fair over the bay, ".repeat(20)
    );
    let short = shortened(&text);
    assert!(short.chars().count() <= NOTE_CHARS_MAX && text.starts_with(&short));
    assert!(short.ends_with("bay"));
}
