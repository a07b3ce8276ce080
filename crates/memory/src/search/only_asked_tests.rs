//! Earlier questions among the results, on a real index.

use super::tests::{Home, said};
use super::*;
use crate::search::ranked::SCORE_SHARE_MIN;

fn found(question: &str) -> Vec<String> {
    let mut home = Home::new(&[("memory/2024-05-02.md", "- Where is the ferry?\n")]);
    let talk = vec![
        said(2, "user", "Where does the ferry leave?"),
        said(
            3,
            "user",
            "The ferry is in the north harbour since the storm came.",
        ),
        said(5, "user", "where is the ferry"),
        said(6, "user", "Where does the ferry to Malta leave?"),
    ];
    home.sessions.documents = vec![("sessions/a.jsonl".into(), talk)];
    home.sync();
    let answer = search(&home.index, question, &SearchOptions::default()).unwrap();
    let place = |it: &crate::SearchResult| format!("{}:{}", it.path, it.start_line);
    answer.results.iter().map(place).collect()
}

#[test]
fn what_was_asked_before_stands_behind_what_may_answer_it() {
    for question in ["Where does the ferry leave?", "ferry leave"] {
        let found = found(question);
        let echoes = ["sessions/a.jsonl:2", "sessions/a.jsonl:5"];
        assert_eq!(found[found.len() - 2..], echoes, "{question}: {found:?}");
    }
    let found_in_car = {
        let mut home = Home::new(&[]);
        let talk = vec![
            said(2, "user", "What car do I drive?"),
            said(
                3,
                "user",
                "We have a car and it is a Skoda from the north of the country.",
            ),
        ];
        home.sessions.documents = vec![("sessions/a.jsonl".into(), talk)];
        home.sync();
        let answer = search(&home.index, "car", &SearchOptions::default()).unwrap();
        let lines = answer.results.iter().map(|it| it.start_line);
        lines.collect::<Vec<_>>()
    };
    assert_eq!(found_in_car, [3, 2]);
    // Who looks for what was asked finds it.
    let asked = found("When did I ask where the ferry leaves?");
    assert_ne!(asked.last().unwrap(), "sessions/a.jsonl:2", "{asked:?}");
}

#[test]
fn what_was_asked_before_hides_nothing_that_says_much_less_of_the_same_words() {
    let asked = "Which colour does the railing of my ferry have?";
    let scores = |talk| {
        let mut home = Home::new(&[("MEMORY.md", "- ferry tickets lie in the drawer\n")]);
        home.sessions.documents = vec![("sessions/a.jsonl".into(), talk)];
        home.sync();
        let answer = search(&home.index, asked, &SearchOptions::default()).unwrap();
        let results = answer.results.into_iter();
        let scores: Vec<_> = results.map(|it| (it.path, it.score)).collect();
        scores
    };
    let echo = said(2, "user", asked);
    let statement = said(2, "user", &asked.replace("Which", "The").replace('?', "."));
    let found = scores(vec![echo]);
    let [(first, of_note), (second, of_echo)] = found.as_slice() else {
        panic!("both are shown: {found:?}");
    };
    assert_eq!([first, second], ["MEMORY.md", "sessions/a.jsonl"]);
    assert!(*of_note < SCORE_SHARE_MIN * of_echo, "{found:?}");
    // Beside a statement that says all of it the note is far off.
    let found = scores(vec![statement]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, "sessions/a.jsonl");
}

#[test]
fn where_only_earlier_questions_are_found_nothing_is_known_and_they_are_counted() {
    let mut home = Home::new(&[("MEMORY.md", "- The heating is serviced in spring\n")]);
    let talk = vec![
        said(2, "user", "What is my hobby?"),
        said(3, "user", "We had soup for lunch."),
        said(4, "user", "what's my hobby"),
    ];
    home.sessions.documents = vec![("sessions/a.jsonl".into(), talk)];
    home.sync();
    let options = SearchOptions {
        counts_asked: true,
        ..SearchOptions::default()
    };
    let answer = |words| search(&home.index, words, &options).unwrap();
    let told = answer("What is my hobby?");
    let expected = (Vec::new(), Some(NothingFound::OnlyAsked), 2);
    assert_eq!((told.results, told.nothing, told.n_asked), expected);
    let asked = answer("questions What is my hobby?");
    let lines: Vec<_> = asked.results.iter().map(|it| it.start_line).collect();
    assert_eq!((lines, asked.n_asked), (vec![2, 4, 3], 0));
}
