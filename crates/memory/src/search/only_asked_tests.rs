//! Earlier questions among the results, on a real index.

use super::tests::{Home, said};
use super::*;

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
