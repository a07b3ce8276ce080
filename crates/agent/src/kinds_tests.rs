//! What stands for what is asked for, and what does not.

use super::*;

fn pairs(question: &str, text: &str) -> Vec<(String, String)> {
    let found = Asked::in_message(question).stands_for(text).into_iter();
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
        &[("streaming", "disney"), ("service", "disney")],
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
fn a_breed_that_is_also_something_else_is_an_animal_where_somebody_has_it() {
    let pair = [("dog", "labrador")];
    let question = "What does my dog eat?";
    check(question, "I have a labrador called Rex.", &pair);
    check(question, "My old labrador sleeps.", &pair);
    check(question, "We flew to Labrador.", &[]);
    check(
        question,
        "Bengal is far, and a cavalier knight rode there.",
        &[],
    );
}

fn found(text: &str, speaker: &str) -> SearchResult {
    SearchResult {
        source: memory::Source::Session,
        path: "sessions/main.jsonl".to_owned(),
        start_line: 1,
        end_line: 1,
        text: text.to_owned(),
        score: 0.0,
        kind: memory::PassageKind::Message,
        speaker: Some(speaker.to_owned()),
        origin: base::Origin::Owner,
        day: None,
        renews: None,
        also: Vec::new(),
        explanation: None,
    }
}

#[test]
fn of_a_word_of_which_nearly_everything_is_a_kind_no_kinds_are_sought() {
    let sought = |question| Asked::in_message(question).sought_kinds(&[]);
    assert_eq!(sought("Which animal do I have?"), [""; 0]);
    let boats = sought("Which boat do I have?").join(" ");
    assert!(boats.contains("kayak") && !boats.contains("bus"), "{boats}");
}

#[test]
fn kinds_are_sought_only_where_nothing_was_found_and_never_for_long() {
    let question = "Which boat do I have?";
    let n_sought = |text, speaker| {
        let found = found(text, speaker);
        Asked::in_message(question).sought_kinds(&[found]).len()
    };
    assert_eq!(n_sought("The boat is mine.", "user"), 0);
    assert_eq!(n_sought("The kayak is mine.", "user"), 0);
    let n_all = Asked::in_message(question).sought_kinds(&[]).len();
    assert!((1..=SEARCHES_MAX).contains(&n_all), "{n_all}");
    assert_eq!(n_sought("Which boat do I have?", "user"), n_all);
    assert_eq!(n_sought("The boat is yours.", "assistant"), n_all);
    let many = "Which boat, which dog, which bird, which fish, which hat, which tree do I have?";
    assert_eq!(asked_words(many).len(), ASKED_MAX);
    let n_all = Asked::in_message(many).sought_kinds(&[]).len();
    assert!((1..=SEARCHES_MAX).contains(&n_all), "{n_all}");
}
