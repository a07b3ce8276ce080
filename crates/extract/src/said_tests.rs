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
fn greeting_a_label_and_a_request_to_keep_it_frame_what_is_told() {
    for (text, told, is_asked_for) in [
        ("Hi, I live in Graz.", "I live in Graz.", false),
        (
            "Hallo Milo, ich wohne in Graz.",
            "ich wohne in Graz.",
            false,
        ),
        ("Hola, vivo en Graz.", "vivo en Graz.", false),
        ("Important: I never eat pork.", "I never eat pork.", false),
        (
            "Oh, and one more thing: I never eat pork.",
            "I never eat pork.",
            false,
        ),
        (
            "Wichtig: Ich esse nie Schweinefleisch.",
            "Ich esse nie Schweinefleisch.",
            false,
        ),
        (
            "Importante: non mangio mai maiale.",
            "non mangio mai maiale.",
            false,
        ),
        (
            "I'm allergic to penicillin, please remember.",
            "I'm allergic to penicillin",
            true,
        ),
        (
            "Ich bin gegen Penicillin allergisch, merk dir das bitte.",
            "Ich bin gegen Penicillin allergisch",
            true,
        ),
        (
            "Soy alérgica a la penicilina, por favor recuérdalo.",
            "Soy alérgica a la penicilina",
            true,
        ),
        ("我对青霉素过敏，请记住。", "我对青霉素过敏", true),
        (
            "Merk dir, dass ich in Graz wohne.",
            "Merk dir, dass ich in Graz wohne.",
            true,
        ),
        ("Hi, Tom.", "Hi, Tom.", false),
        (
            "I live in Graz, I can remember the trams.",
            "I live in Graz, I can remember the trams.",
            false,
        ),
    ] {
        let said = said(text, language_of(text)).sentences;
        let found: Vec<_> = said
            .iter()
            .map(|it| (it.text.as_str(), it.is_asked_for))
            .collect();
        assert_eq!(found, [(told, is_asked_for)], "{text}");
    }
    assert!(parts("Tom: I never eat pork.").is_empty());
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

#[test]
fn what_is_asked_to_be_kept_opens_no_play() {
    let opens = |text: &str| said(text, language_of(text)).opens_play;
    assert!(opens("Play the captain of a ship for me."));
    assert!(!opens("Remember that I play the bassoon."));
    assert!(!opens("Merk dir, dass ich gern ein Rollenspiel leite."));
}
