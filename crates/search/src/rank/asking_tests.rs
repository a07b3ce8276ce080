//! The position of an earlier question among the results.

use super::tests::{Home, said};
use super::*;

fn lines(home: &Home, query: &str) -> Vec<usize> {
    let options = SearchOptions::default();
    let found = search(&home.index, query, &options).unwrap();
    found.results.iter().map(|it| it.start_line).collect()
}

#[test]
fn question_with_searched_name_ranks_before_statements_without_name() {
    let mut home = Home::new(&[]);
    let messages = [
        "How do I lower the limit of the key that I got on March 10, 2024?",
        "In March I bought 10 pots.",
        "In 2024 I sold pots in March.",
        "Is the pot of March 10 broken?",
        "Would the invoice of $4,210 pay for the boat?",
        "The boat has a red sail, and its invoice is lost.",
    ];
    let messages = messages.iter().zip(2..);
    let messages = messages.map(|(text, line)| said(line, "user", text));
    home.sessions.documents = vec![("sessions/a.jsonl".into(), messages.collect())];
    home.sync();
    let dated = lines(&home, "March 10, 2024");
    assert_eq!(dated[0], 2);
    // Questions without the whole name stand behind all statements.
    assert_eq!(dated[4..], [5, 6], "{dated:?}");
    assert_eq!(lines(&home, "$4,210")[0], 6);
    // A question for an answer still finds statements first.
    assert_eq!(lines(&home, "invoice of the boat")[0], 7);
    assert_ne!(lines(&home, "What did I get in March 2024?")[0], 2);
}
