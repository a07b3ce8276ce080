//! Statements and questions of one message.

use super::*;
use crate::language::language_of;

fn parts(text: &str) -> Vec<(String, bool)> {
    let said = said(text, language_of(text)).sentences.into_iter();
    said.map(|it| (it.text, it.asks)).collect()
}

#[test]
fn statement_before_question_is_separate() {
    let found = parts("I take the early ferry on Mondays, does it still run?");
    let stated = ("I take the early ferry on Mondays".to_owned(), false);
    assert_eq!(found, [stated, ("does it still run?".to_owned(), true)]);
}

#[test]
fn greeting_label_and_keep_request_are_removed_from_statement() {
    // What is told stands between `[` and `]`.
    let framed = [
        "Hi, [I live in Graz.]",
        "Hallo Milo, [ich wohne in Graz.]",
        "Hola, [vivo en Graz.]",
        "Important: [I never eat pork.]",
        "Oh, and one more thing: [I never eat pork.]",
        "Just so you know: [I never eat pork.]",
        "Good news: [I never eat pork.]",
        "Wichtig: [Ich esse nie Schweinefleisch.]",
        "Übrigens: [Ich esse nie Schweinefleisch.]",
        "Importante: [non mangio mai maiale.]",
        "[Hi, Tom.]",
        "[I live in Graz, I can remember the trams.]",
    ];
    let asked_for = [
        "[I'm allergic to penicillin], please remember.",
        "[Ich bin gegen Penicillin allergisch], merk dir das bitte.",
        "[Soy alérgica a la penicilina], por favor recuérdalo.",
        "[我对青霉素过敏]，请记住。",
        "[Merk dir, dass ich in Graz wohne.]",
        "Remember that [I live in Graz.]",
    ];
    let framed = framed.iter().map(|marked| (marked, false));
    for (marked, is_asked_for) in framed.chain(asked_for.iter().map(|marked| (marked, true))) {
        let text = marked.replace(['[', ']'], "");
        let told = marked.split(['[', ']']).nth(1).unwrap();
        let said = said(&text, language_of(&text)).sentences;
        let [found] = said.as_slice() else {
            panic!("{said:?}");
        };
        assert_eq!((&*found.text, found.is_asked_for), (told, is_asked_for));
    }
}

#[test]
fn question_of_several_clauses_stays_whole() {
    let text = "When I was there, where did I stay?";
    assert_eq!(parts(text), [(text.to_owned(), true)]);
}

#[test]
fn statement_before_question_of_several_clauses_is_separate() {
    let stated = "I keep bees, and I prefer clover honey";
    let asked = "so can you tell me when it blooms, and where?";
    let found = parts(&format!("{stated}, {asked}"));
    assert_eq!(
        found,
        [(stated.to_owned(), false), (asked.to_owned(), true)]
    );
}

#[test]
fn clauses_are_split_at_marks_without_short_fragments() {
    let text = "I keep bees in Turku, you know, and I prefer clover honey over any other";
    let found = clauses(text).into_iter();
    let found = found.filter_map(|(from, to)| text.get(from..to));
    let expected = [
        "I keep bees in Turku, you know, ",
        "and I prefer clover honey over any other",
    ];
    assert_eq!(found.collect::<Vec<_>>(), expected);
}

#[test]
fn clause_with_quotation_is_left_out() {
    let aunt = "My aunt lives in Turku by the river";
    let found = parts(&format!("{aunt}, and she says \"you never write to me\"."));
    assert_eq!(found, [(aunt.to_owned(), false)]);
    assert!(parts("He said \"I have sold all of my boats\".").is_empty());
}

#[test]
fn code_and_quoted_lines_do_not_count_as_said() {
    assert!(parts("> I moved to Turku last week\n```\nlet boat = 3;\n```").is_empty());
}

#[test]
fn long_sentence_is_cut_at_end_of_clause() {
    let wind = "and the wind is fair over the bay, ".repeat(20);
    let text = format!("I sail, {wind}");
    let short = shortened(&text);
    assert!(short.chars().count() <= NOTE_CHARS_MAX);
    let kept = short.strip_suffix(" \u{2026}").unwrap();
    assert!(text.starts_with(kept) && kept.ends_with("bay"), "{short}");
}

#[test]
fn cut_inside_clause_is_marked() {
    let short = shortened(&format!("I sail {}", "and the wind is fair ".repeat(20)));
    assert!(short.ends_with("the wind is \u{2026}"), "{short}");
    let whole = "a".repeat(NOTE_CHARS_MAX);
    assert_eq!(shortened(&whole), whole);
    let longer = shortened(&format!("{whole}a"));
    assert!(longer.ends_with("a \u{2026}"), "{longer}");
    assert_eq!(longer.chars().count(), NOTE_CHARS_MAX);
}

#[test]
fn keep_request_does_not_start_role_play() {
    let opens = |text: &str| said(text, language_of(text)).opens_play;
    assert!(opens("Play the captain of a ship for me."));
    assert!(!opens("Remember that I play the bassoon."));
    assert!(!opens("Merk dir, dass ich gern ein Rollenspiel leite."));
}
