//! Tests of what only the texts of pieces tell, on a real index.

use super::tests::{Home, TOY, said};
use super::*;
use crate::search::Evidence;

/// What one kind of evidence adds to each result, by its text.
fn added(home: &Home, question: &str, evidence: Evidence) -> Vec<(String, f64)> {
    let options = SearchOptions {
        explain: true,
        ..SearchOptions::default()
    };
    let answer = search(&home.index, question, &options).unwrap();
    let added = answer.results.into_iter().map(|result| {
        let parts = result.explanation.unwrap().parts;
        let value = parts.into_iter().find(|(kind, _)| *kind == evidence);
        (result.text, value.map_or(0.0, |(_, value)| value))
    });
    let mut added: Vec<_> = added.collect();
    added.sort_by(|left, right| left.0.cmp(&right.0));
    added
}

#[track_caller]
fn check(found: &[(String, f64)], expected: &[(&str, f64)]) {
    let is_same = |(found, expected): (&(String, f64), &(&str, f64))| {
        found.0 == expected.0 && (found.1 - expected.1).abs() < 1e-9
    };
    let is_all = found.len() == expected.len();
    assert!(
        is_all && found.iter().zip(expected).all(is_same),
        "{found:?}"
    );
}

#[test]
fn what_is_a_kind_of_what_is_asked_for_speaks_for_a_piece_that_does_not_say_it_itself() {
    let notes =
        "- the bread comforts me\n- the furniture comforts me, a sofa\n- sofas comfort me\n";
    let home = Home::new(&[("MEMORY.md", notes)]);
    // Of three pieces "furniture" stands in one and "comfort" in all; the kind counts 0.5 of its share.
    let idf = |n_with: f64| (1.0 + (3.0 - n_with + 0.5) / (n_with + 0.5)).ln();
    let kind = 0.5 * idf(1.0) / (idf(1.0) + idf(3.0));
    check(
        &added(&home, "which furniture comforts", Evidence::Kinds),
        &[
            ("- sofas comfort me", kind),
            ("- the bread comforts me", 0.0),
            ("- the furniture comforts me, a sofa", 0.0),
        ],
    );
}

#[test]
fn a_named_person_who_speaks_of_themselves_is_told_from_one_who_speaks_of_others() {
    let notes =
        "- Anna: I mended the boat\n- Anna: Ben mended the boat\n- Ben: I mended the boat\n";
    let home = Home::new(&[("MEMORY.md", notes)]);
    check(
        &added(&home, "What did Anna mend?", Evidence::OfSelf),
        &[
            ("- Anna: Ben mended the boat", 0.0),
            ("- Anna: I mended the boat", 0.12),
            ("- Ben: I mended the boat", 0.0),
        ],
    );
}

#[test]
fn what_the_owner_says_counts_for_its_own_meaning_in_a_transcript() {
    let mut home = Home::new(&[]);
    let messages = vec![
        said(2, "user", "the vessel left"),
        said(3, "assistant", "a boat left"),
    ];
    home.sessions.documents = vec![("sessions/main.jsonl".into(), messages)];
    let home = home.embedding(TOY);
    home.sync();
    let found = added(&home, "ship left", Evidence::Said);
    // Both name what is asked for; "the" lies across it. Bytes and a part of the mean leave a hundredth open.
    let by_itself = 0.3 * 17.0 / (17.0_f64 * 18.0).sqrt();
    let [assistant, owner] = found.as_slice() else {
        panic!("two messages are two results: {found:?}");
    };
    assert_eq!(assistant, &("a boat left".to_owned(), 0.0));
    assert_eq!(owner.0, "the vessel left");
    assert!((owner.1 - by_itself).abs() < 0.01, "{found:?}");
}

#[test]
fn a_title_speaks_for_a_note_where_the_question_asks_which_thing() {
    let notes = "- I read \"Emma\" in bed\n- I read \"a lot\" in bed\n- I read in bed\n";
    let home = Home::new(&[("MEMORY.md", notes)]);
    let titles = |question: &str| {
        let found = added(&home, question, Evidence::Title);
        found
            .into_iter()
            .map(|(_, value)| value)
            .collect::<Vec<_>>()
    };
    // In the order of the texts: "Emma", "a lot", none.
    assert_eq!(titles("What did I read in bed?"), [0.15, 0.0, 0.0]);
    assert_eq!(titles("When did I read in bed?"), [0.0, 0.0, 0.0]);
}

#[test]
fn of_two_that_speak_alike_the_shorter_stands_first() {
    let long = format!(
        "- the boat left, {}",
        "as it always does at that time of day, ".repeat(4)
    );
    let notes = format!("{}\n- the boat left\n", long.trim_end());
    let home = Home::new(&[("MEMORY.md", &notes)]);
    let long = long.trim_end();
    // Bytes against the usual 160; what is below 40 saves nothing more.
    let more = -0.05 * (u32::try_from(long.len()).map_or(0.0, f64::from) / 160.0).ln();
    check(
        &added(&home, "Which boat left?", Evidence::Room),
        &[
            ("- the boat left", -0.05 * (40.0_f64 / 160.0).ln()),
            (long, more),
        ],
    );
}

#[test]
fn of_two_who_are_named_the_first_is_asked_and_of_two_named_alike_each_of_themselves() {
    let notes = "- Anna: I mended the boat\n- Ben: I mended the boat\n";
    let home = Home::new(&[("MEMORY.md", notes)]);
    let (anna, ben) = ("- Anna: I mended the boat", "- Ben: I mended the boat");
    let first = "Did Ben tell Anna who mended the boat?";
    check(
        &added(&home, first, Evidence::Who),
        &[(anna, 0.0), (ben, 0.2)],
    );
    check(
        &added(&home, first, Evidence::OfSelf),
        &[(anna, 0.0), (ben, 0.08)],
    );
    let alike = "Which boat did Ben and Anna mend?";
    check(
        &added(&home, alike, Evidence::Who),
        &[(anna, 0.0), (ben, 0.0)],
    );
    check(
        &added(&home, alike, Evidence::OfSelf),
        &[(anna, 0.12), (ben, 0.12)],
    );
}
