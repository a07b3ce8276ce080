//! Tests of words that a question misspells.

use super::near_words_tests::home;
use super::tests::{Home, said};
use super::*;

const NOTES: &str = "- the dentist comes on Friday\n\n## B\n- an appointment with Caroline\n\n\
    ## C\n- Сергей нашёл стоматолога\n\n## D\n- we took the fery to Vejle\n";

/// The lines that a question finds, and what was taken for its words.
fn read(home: &Home, question: &str) -> (Vec<usize>, Vec<String>) {
    let answer = search(&home.index, question, &SearchOptions::default()).unwrap();
    let lines = answer.results.iter().map(|result| result.start_line);
    let spellings = answer.spellings.iter();
    let spellings = spellings.map(|it| format!("{} {}", it.asked, it.meant));
    (lines.collect(), spellings.collect())
}

#[test]
fn unknown_word_is_replaced_with_nearest_spelling() {
    let home = home(NOTES);
    let cases: [(&str, &[usize], &[&str]); 11] = [
        ("dentist", &[1], &[]),
        // Swapped, left out, put in, taken for another.
        ("Dentits", &[1], &["dentits dentist"]),
        ("dentis", &[1], &["dentis dentist"]),
        ("dentisst", &[1], &["dentisst dentist"]),
        ("Carolyne?", &[4], &["carolyne caroline"]),
        ("стоматолгоа", &[7], &["стоматолгоа стоматолога"]),
        // Two slips in a long word, but not in a short one.
        ("apointmnet", &[4], &["apointmnet appointment"]),
        ("dentsti", &[], &[]),
        // The first letter is known, a short word is another one, and so is one of the vocabulary.
        ("tentist", &[], &[]),
        ("Veile and Vjle", &[10], &["veile vejle"]),
        ("ferry", &[], &[]),
    ];
    for (question, lines, spellings) in cases {
        let spellings = spellings.iter().map(|it| (*it).to_owned());
        let expected = (lines.to_vec(), spellings.collect());
        assert_eq!(read(&home, question), expected, "{question}");
    }
}

#[test]
fn word_seen_only_in_questions_counts_as_misspelt() {
    let mut home = home(NOTES);
    let mut read_after = |text: &str| {
        let messages = vec![said(2, "user", text)];
        home.sessions.documents = vec![("sessions/main.jsonl".into(), messages)];
        home.sync();
        read(&home, "dentits").1
    };
    let asked = "When is the dentits here?";
    assert_eq!(read_after(asked), ["dentits dentist"]);
    let told = "The dentits is a fish of the lake.";
    assert!(read_after(told).is_empty());
}

#[test]
fn spelling_is_reported_only_if_result_shows_it() {
    let home = home("- chess club on Friday\n\n## B\n- the dentist comes on Friday\n");
    let ask = |limit| {
        let options = SearchOptions {
            limit,
            ..SearchOptions::default()
        };
        let answer = search(&home.index, "chess club Friday dentits", &options).unwrap();
        let lines: Vec<usize> = answer.results.iter().map(|it| it.start_line).collect();
        (lines, answer.spellings.len())
    };
    assert_eq!((ask(1), ask(2)), ((vec![1], 0), (vec![1, 4], 1)));
}
