//! Which questions ask for which matter, and which ask for something else.

use super::Matter::{
    Allergy, Birth, Boss, Car, Child, Diet, Doctor, Hobby, Home, Illness, Instrument, Landlord,
    Language, Medicine, Name, Origin, Partner, Pet, Phone, PhoneNumber, Sibling, Wish, Work,
};
use super::*;

#[track_caller]
fn check(question: &str, expected: &[Matter]) {
    assert_eq!(matters_asked(question), expected, "{question}");
}

#[test]
fn a_question_asks_for_a_matter_in_whatever_words() {
    check("What do I do for a living?", &[Work]);
    check("Was bin ich von Beruf?", &[Work]);
    check("Where am I living now?", &[Home]);
    check("Where do I come from?", &[Origin]);
    check("What is my name?", &[Name]);
    check("How old am I?", &[Birth]);
    check("Wann bin ich geboren?", &[Birth]);
    check("Do I have a pet?", &[Pet]);
    check("What am I allergic to?", &[Allergy]);
    check("Wogegen bin ich allergisch?", &[Allergy]);
    check("Which drugs must nobody give me?", &[]);
    check("Which drugs must a doctor never give me?", &[Allergy]);
    check("Which pills do I take?", &[Medicine]);
    check("Which illnesses do I have?", &[Illness]);
    check("What is my wife's name?", &[Partner]);
    check("Wie viele Kinder habe ich?", &[Child]);
    check("Do I have siblings?", &[Sibling]);
    check("What must I not eat?", &[Diet, Allergy]);
    check("What do I eat?", &[Diet]);
    check("Welches Auto fahre ich?", &[Car]);
    check("Which phone do I have?", &[Phone]);
    check("What is my phone number?", &[PhoneNumber]);
    check("Who do I report to?", &[Boss]);
    check("Who is my GP?", &[Doctor]);
    check("Who do I rent from?", &[Landlord]);
    check("What do I do in my spare time?", &[Hobby, Instrument]);
    check("Which instrument do I play?", &[Instrument]);
    check("What is my mother tongue?", &[Language]);
    check("How should you answer me?", &[Wish]);
}

#[test]
fn what_is_asked_of_another_or_more_narrowly_asks_for_no_matter() {
    for other in [
        "What does my sister do for a living?",
        "How old is my dog?",
        "When is my wife's birthday?",
        "When did I start my job?",
        "What is my rent?",
        "What am I working on?",
        "Am I free today?",
        "What did my doctor say?",
        "Where is Graz?",
        "What do I not know?",
        "I work as a nurse.",
        "Who does Ann rent from?",
        "",
    ] {
        check(other, &[]);
    }
}
