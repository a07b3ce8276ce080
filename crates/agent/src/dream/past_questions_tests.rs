//! What lines earn from the past questions of the owner, and which questions these are.
//!
//! Asks the real search; no model judges.

use base::test_kit::Words;
use memory::candidates::{Candidate, Signal};

use super::*;
use crate::dream::{DreamOutcome, dream};
use crate::test_kit::{DREAM_NOW, Home, Script, adds, dream_settings, offline_home, operations};

fn newest(home: &Home) -> Vec<String> {
    let access = &home.runtime.home;
    let conversations =
        SessionConversations::new(access.sessions.clone(), Arc::clone(&access.workspace));
    PastQuestions::newest(&conversations, access).unwrap()
}

/// How many questions each of these lines earns, given with the numbers of the messages they are based on.
fn earned<const N: usize>(home: &Home, lines: [(&str, usize); N]) -> [usize; N] {
    let asked = PastQuestions::ask(&home.runtime, newest(home)).unwrap();
    let tried = lines.map(|(text, number)| TriedLine {
        text: text.to_owned(),
        sources: BTreeSet::from([format!("sessions/main.jsonl:{}", number + 1)]),
    });
    let earned = asked.with_lines(&tried).unwrap();
    // A second pass of the dream asks the same questions.
    assert_eq!(asked.with_lines(&tried).unwrap(), earned);
    tried.map(|line| earned.times(&line.text))
}

const SISTER: &str = "My sister lives in Graz.";
const BOAT: &str = "The boat is blue.";

/// A home in which a question finds one answer by its words and misses the other.
fn two_answers() -> Home {
    let home = offline_home();
    home.record("2026-03-01T08:00:00Z", "In Graz, since May.");
    home.record("2026-03-01T08:01:00Z", BOAT);
    home.record("2026-03-01T09:00:00Z", "Where does my sister live?");
    home.record("2026-03-01T09:01:00Z", "Which colour is the boat?");
    home.set("2026-03-02T08:00:00Z");
    home
}

#[test]
fn line_earns_question_that_misses_its_message() {
    let home = two_answers();
    assert_eq!(earned(&home, [(SISTER, 1), (BOAT, 2)]), [1, 0]);
    assert_eq!(earned(&home, [("The fence is green.", 1)]), [0]);
}

#[test]
fn line_earns_nothing_in_home_without_question() {
    let home = offline_home();
    home.record("2026-03-01T08:00:00Z", "In Graz, since May.");
    assert_eq!(earned(&home, [(SISTER, 1)]), [0]);
}

#[test]
fn questions_are_those_of_owner_in_ninety_days_newest_first() {
    let home = offline_home();
    home.record("2025-12-01T07:59:00Z", "Where is the oldest key?");
    home.record("2025-12-02T08:00:00Z", "Where is the old key?");
    home.record("2026-02-01T08:00:00Z", "The key is blue. Where is it?");
    home.record("2026-03-01T08:00:00Z", "Where is the new key?");
    home.set("2026-03-02T08:00:00Z");
    assert_eq!(
        newest(&home),
        ["Where is the new key?", "Where is the old key?"]
    );
    for number in 0..QUESTIONS_MAX {
        home.record("2026-03-02T08:00:00Z", &format!("Where is key {number}?"));
    }
    let asked = newest(&home);
    assert_eq!(asked.len(), QUESTIONS_MAX);
    asked.join(" ").lacks("the new key");
}

/// The candidate that a dream makes of a note, and the part of its score that past questions give.
async fn dreamt(question: &str) -> (Candidate, u32) {
    let mut home = offline_home();
    home.record("2026-03-01T09:00:00Z", question);
    home.set("2026-03-02T08:00:00Z");
    home.note("In Graz since May", Origin::Owner);
    let own = adds("Facts", SISTER, &["e1"], "In Graz since May");
    let script = Script::new().says("[]").says(&operations(&[own]));
    home.ask(Arc::new(script));
    let report = home.dreamt().await;
    let own = report.promoted.iter().chain(&report.staged).next();
    let own = own.unwrap_or_else(|| panic!("{report:?}")).clone();
    let is_earned = |signal: &&Signal| signal.name == "earned";
    let value = own.signals.iter().find(is_earned).unwrap().value;
    (own, value)
}

#[tokio::test]
async fn candidate_that_answers_past_question_scores_more() {
    let (helps, value) = dreamt("Where does my sister live?").await;
    let (other, nothing) = dreamt("Does the boat need paint?").await;
    assert_eq!((value, nothing), (50, 0));
    assert_eq!(helps.score, other.score + 10);
}

#[tokio::test]
async fn dream_without_usable_index_promotes_and_says_why_no_question_was_asked() {
    let home = two_answers();
    home.break_index();
    let settings = dream_settings(1_000_000);
    let mut told = Vec::new();
    let mut tell = |progress| told.push(progress);
    let dreamt = dream(&home.runtime, &settings, DREAM_NOW, &mut tell).await;
    let DreamOutcome::Dreamt { report, .. } = dreamt.unwrap() else {
        panic!("no dream");
    };
    assert!(report.n_lines() > 0, "{report:?}");
    format!("{told:?}").holds("your past questions could not be asked again: ");
}
