//! What stands for what is asked for, and what does not.

use super::*;

fn pairs(question: &str, text: &str) -> Vec<(String, String)> {
    let found = stands_for(&asked_words(question), text).into_iter();
    found.map(|it| (it.asked, it.meant)).collect()
}

#[track_caller]
fn check(question: &str, text: &str, expected: &[(&str, &str)]) {
    let expected: Vec<(String, String)> = expected
        .iter()
        .map(|(asked, meant)| ((*asked).to_owned(), (*meant).to_owned()))
        .collect();
    assert_eq!(pairs(question, text), expected, "{question} {text}");
}

#[test]
fn what_is_of_a_kind_and_what_is_called_otherwise_stand_for_what_is_asked() {
    check(
        "Which boat do I have?",
        "I have a kayak.",
        &[("boat", "kayak")],
    );
    check(
        "What bicycle do I have?",
        "My bike is new.",
        &[("bicycle", "bike")],
    );
    check(
        "What breed is my dog?",
        "Bella is a poodle.",
        &[("dog", "poodle")],
    );
    check(
        "Which streaming service do I use?",
        "I got Disney+.",
        &[("service", "disney"), ("streaming", "disney")],
    );
}

#[test]
fn what_only_has_to_do_with_it_stands_for_nothing() {
    check("Which boat do I have?", "I have a bus in the harbour.", &[]);
    check("Which kayak do I have?", "I have a boat.", &[]);
    check("Which boat do I have?", "I have a boat.", &[]);
    check("Who is my insurer?", "The inspection is in May.", &[]);
    check("Where do I park?", "The playground is near.", &[]);
    check("Which thing do I have?", "I have a kayak.", &[]);
    check("Which service do I use?", "I have a kayak.", &[]);
    check("Which service do I use?", "Our boiler was serviced.", &[]);
}

#[test]
fn of_a_word_of_which_nearly_everything_is_a_kind_no_kinds_are_sought() {
    assert_eq!(sought_kinds(&["animal".to_owned()]), [""; 0]);
    let boats = sought_kinds(&["boat".to_owned()]).join(" ");
    assert!(boats.contains("kayak") && !boats.contains("bus"), "{boats}");
}
