//! Whom a question asks about, and which sentences tell it of them.

use super::super::fixture::{reply, request};
use super::*;
use base::model::Purpose;

/// Which sentences of the passages tell what a question asks.
fn told<'p>(question: &str, passages: &[&'p str]) -> Vec<&'p str> {
    let relatives = Relatives::asked_in(question, passages.iter().copied());
    assert!(!relatives.is_empty(), "{question}");
    let is_told = |passage: &&&str| relatives.told_in(&[passage], &[]).contains(&true);
    passages.iter().filter(is_told).copied().collect()
}

#[track_caller]
fn nobody(question: &str) {
    let relatives = Relatives::asked_in(question, std::iter::empty());
    assert!(relatives.is_empty(), "{question}");
}

#[test]
fn who_is_asked_about_is_named_by_their_word_or_by_their_name() {
    let passages = [
        "My name is Ada.",
        "My brother Tom is a chef in Lyon.",
        "Our dog Bella is four years old.",
        "Tom turns 40 on 3 May.",
    ];
    assert_eq!(told("What is my brother's name?", &passages), [passages[1]]);
    assert_eq!(told("How old is my brother?", &passages), [passages[3]]);
    assert_eq!(told("How old is my dog?", &passages), [passages[2]]);
    assert_eq!(told("How old is my son?", &passages), [""; 0]);
    assert_eq!(
        told("What does my brother do for a living?", &passages),
        passages[1..4][..1]
    );
}

#[test]
fn other_words_for_the_same_person_name_them() {
    for (question, passage) in [
        ("When is my mother's birthday?", "Mum turns 60 on 3 May."),
        ("Where does my father live?", "My parents live in Dundee."),
        (
            "Wie hei\u{df}t meine Oma?",
            "Meine Gro\u{df}mutter hei\u{df}t Rosa.",
        ),
        (
            "Wo wohnt mein Bruder?",
            "Mein \u{e4}lterer Bruder wohnt in Linz.",
        ),
        ("How old is my daughter?", "Our kids are 4 and 6."),
        (
            "What is my mother-in-law called?",
            "My mother in law is called Vera.",
        ),
        (
            "What is my wife's name?",
            "I'm married; my wife is called Noor.",
        ),
        ("What is my best friend's name?", "Yuki is my best friend."),
    ] {
        assert_eq!(told(question, &[passage]), [passage], "{question}");
    }
}

#[test]
fn what_is_said_of_somebody_else_or_of_something_else_is_not_told_of_them() {
    for (question, passage) in [
        (
            "What is my sister's name?",
            "My mother lives with her sister Ann.",
        ),
        (
            "What is my sister's name?",
            "My friend's sister is called Ann.",
        ),
        (
            "What is my mother's name?",
            "My mother-in-law is called Vera.",
        ),
        ("What is my dog's name?", "My dog walker is called Jim."),
        ("Where does my father live?", "My mother lives in Dundee."),
        ("When is my brother's birthday?", "My brother is a chef."),
        (
            "Wogegen ist mein Bruder allergisch?",
            "Mein Bruder hei\u{df}t Jan.",
        ),
        ("Was ist mein Vater von Beruf?", "Mein Vater wohnt in Linz."),
        ("What is my sister's name?", "My sister is German."),
        (
            "How old is my sister?",
            "My older sister moved to Bergen last year (2025).",
        ),
        ("How old is my sister?", "My sister has two cats."),
        (
            "When is my sister's birthday?",
            "My sister comes on Friday (2026-11-27).",
        ),
    ] {
        assert_eq!(told(question, &[passage]), [""; 0], "{question} {passage}");
    }
}

#[test]
fn what_is_of_the_kind_of_an_animal_is_meant_and_named() {
    let relatives = Relatives::asked_in("What is my dog's name?", std::iter::empty());
    let passage = ["We adopted a greyhound called Pippa."];
    let pair = Spelling {
        asked: "dog".to_owned(),
        meant: "greyhound".to_owned(),
    };
    assert_eq!(relatives.told_in(&passage, &[pair]), [true]);
    assert_eq!(relatives.told_in(&passage, &[]), [false]);
}

#[test]
fn what_goes_on_about_them_is_told_of_them() {
    let relatives = Relatives::asked_in("How old is my son?", std::iter::empty());
    let told = |sentences: &[&str]| relatives.told_in(sentences, &[]);
    assert_eq!(told(&["My son loves trains.", "He is six."]), [false, true]);
    assert_eq!(
        told(&["My son loves trains.", "Ben is six."]),
        [false, false]
    );
}

#[test]
fn who_asks_about_themselves_asks_about_nobody_else() {
    nobody("What did I give my sister for her birthday?");
    nobody("Where do my wife and I live?");
    nobody("Who is my dog's vet?");
    nobody("Where does Tom's brother live?");
    nobody("My brother lives in Lyon.");
    nobody("What is my job?");
}

#[test]
fn of_whom_nothing_is_told_the_answer_says_so() {
    let chat = |words: &str| {
        let mut chat = request(Purpose::Chat, Vec::new(), 400);
        chat.messages = vec![base::Message::user(words)];
        reply(&chat)
    };
    assert_eq!(
        chat("How old is my son?"),
        super::super::template::NOT_FOUND
    );
}
