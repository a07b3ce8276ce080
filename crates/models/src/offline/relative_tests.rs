//! Whom a question asks about, and which sentences tell it of them.

use super::super::fixture::{reply, request};
use super::*;
use base::model::Purpose;

/// Which sentences of the passages tell what a question asks.
fn told<'p>(question: &str, passages: &[&'p str]) -> Vec<&'p str> {
    let relatives =
        Relatives::asked_in(question, passages.iter().map(|text| (*text, [].as_slice())));
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
fn whom_the_question_names_is_nobody_of_another_name() {
    let anna = "Anna works at the hospital in Linz.";
    assert_eq!(told("Where does my friend Anna work?", &[anna]), [anna]);
    let passages = [
        "Tom lives in Leeds.",
        "My brother likes chess.",
        "My brother Ben lives in Leeds.",
        "My brother lives in Derby.",
        "Ben is my brother and lives in Ely.",
    ];
    let question = "Where does my brother Tom live?";
    assert_eq!(told(question, &passages), [passages[0], passages[3]]);
    assert_eq!(told(question, &passages[2..3]), [""; 0]);
    let question = "Where does my brother live?";
    assert_eq!(told(question, &passages), passages[2..]);
    let question = "How old are my sons Max and Leo?";
    assert_eq!(told(question, &["Leo is four."]), ["Leo is four."]);
    let passages = ["Tom's wife is called Ada.", "Ben's wife is called Eva."];
    let question = "What is my brother Tom's wife called?";
    assert_eq!(told(question, &passages), passages[..1]);
}

#[test]
fn who_calls_has_no_name_by_that() {
    for (question, passage, other) in [
        (
            "Where does my brother live?",
            "My brother called and asked about the boat.",
            "I live in Graz and work in Wels.",
        ),
        (
            "How old is my sister?",
            "My sister called yesterday from Rome.",
            "Yesterday Paul turned 40 in Bonn.",
        ),
        (
            "Where does my sister live?",
            "My sister called me.",
            "Paul told me he lives in Bonn.",
        ),
        (
            "Where does my sister live?",
            "My sister called Paul.",
            "Paul lives in Bonn.",
        ),
        (
            "Where does my sister live?",
            "My sister and Paul met.",
            "Paul lives in Bonn.",
        ),
        (
            "Where does my boss live?",
            "The tall man is my boss.",
            "The mill is in Bonn.",
        ),
        (
            "Where does my sister live?",
            "Rome is my sister's choice.",
            "Rome is near Ostia.",
        ),
        (
            "Where does my brother live?",
            "He is my brother.",
            "Then he lived in Bonn.",
        ),
    ] {
        assert_eq!(told(question, &[passage, other]), [""; 0], "{passage}");
    }
}

#[test]
fn a_name_is_told_in_many_ways() {
    for passage in [
        "My brother Tom is tall.",
        "I have a brother called Tom.",
        "I have a brother named Tom.",
        "My brother is called Tom.",
        "My older brother was named Tom.",
        "My brother's name is Tom.",
        "My brother's first name is Tom.",
        "Tom is my brother.",
        "My brother is Tom.",
        "Mein Bruder hei\u{df}t Tom.",
    ] {
        let other = "Tom lives in Bonn.";
        let told = told("Where does my brother live?", &[passage, other]);
        assert_eq!(told, [other], "{passage}");
    }
    let passages = ["My cat called Miso is shy.", "Miso is nine."];
    assert_eq!(told("How old is my cat?", &passages), passages[1..]);
    let passages = ["My sons are called Max and Leo.", "Leo is nine."];
    assert_eq!(told("How old are my sons?", &passages), passages[1..]);
}

#[test]
fn an_animal_that_is_told_of_by_its_breed_has_its_name() {
    let passages = ["I have a labrador called Rex.", "Rex eats kibble."];
    let pair = [Spelling {
        asked: "dog".to_owned(),
        meant: "labrador".to_owned(),
    }];
    let told = |pairs: &[Spelling]| {
        let passages = passages.map(|text| (text, pairs));
        let relatives = Relatives::asked_in("What does my dog eat?", passages.into_iter());
        relatives.told_in(&["Rex eats kibble."], pairs)
    };
    assert_eq!(told(&pair), [true]);
    assert_eq!(told(&[]), [false]);
}

#[test]
fn whoever_is_introduced_may_go_on_by_name() {
    let told = |question: &str, passage: &[&str], others: &[&str]| {
        let others = others.iter().map(|text| (*text, [].as_slice()));
        let relatives = Relatives::asked_in(question, others);
        relatives.told_in(passage, &[])
    };
    let question = "How old are my sons?";
    let passage = ["I have two sons.", "Max is four and Leo is six."];
    assert_eq!(told(question, &passage, &[]), [false, true]);
    let passage = ["I have two sons.", "Max is four.", "Leo is six."];
    assert_eq!(told(question, &passage, &[]), [false, true, true]);
    assert_eq!(
        told(question, &passage, &["My nephew Leo sings."]),
        [false, true, false]
    );
    let passage = ["I have a son and a daughter.", "Ada is six."];
    assert_eq!(
        told("How old is my son?", &passage, &[]),
        [false, false],
        "either is meant"
    );
    let passage = ["I have two sons.", "Yesterday we were four."];
    assert_eq!(told(question, &passage, &[]), [false, false]);
    let passage = ["I have a son called Leo.", "Max is four."];
    assert_eq!(told("How old is my son?", &passage, &[]), [false, false]);
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
