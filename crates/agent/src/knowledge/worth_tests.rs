//! The choice of passages that are worth showing, and what makes room for them.

use base::Origin;
use search::{PassageKind, Source};

use super::*;

fn found(line: usize, score: f64, text: &str) -> SearchResult {
    SearchResult {
        source: Source::Memory,
        path: "memory/2026-01-05.md".into(),
        section: None,
        start_line: line,
        end_line: line,
        text: text.to_owned(),
        score,
        likelihood: score / 10.0,
        kind: PassageKind::Bullet,
        speaker: None,
        origin: Origin::Owner,
        day: None,
        renews: None,
        planned_for: None,
        replaced_on: None,
        is_untrue: false,
        is_taken_back: false,
        last_confirmed: None,
        is_of_span: false,
        also: Vec::new(),
        explanation: None,
    }
}

const ROOM: TokenCount = TokenCount(800);

/// The lines worth showing in a chat that shows the line `shown` already.
fn lines(found: &[SearchResult], shown: usize) -> Vec<usize> {
    let passages = worth_showing(found, IN_CHAT, ROOM, &|it| it.start_line == shown);
    passages.iter().map(|it| it.start_line).collect()
}

#[test]
fn worth_showing_drops_questions_repetitions_and_unlikely_passages() {
    let passages = [
        found(1, 9.0, "Where is the lock?"),
        found(2, 4.0, "The lock is red. Where is it?"),
        found(3, 3.0, "The lock is red."),
        found(4, 0.6, "The lock code is 4711."),
        found(5, 0.4, "The door is blue."),
    ];
    assert_eq!(lines(&passages, 0), [2, 4]);
}

#[test]
fn worth_showing_is_empty_unless_new_passage_reaches_bar() {
    let passages = [
        found(1, 9.0, "The lock is red."),
        found(2, 1.4, "The door is blue."),
    ];
    assert_eq!(lines(&passages, 0), [1, 2]);
    assert_eq!(lines(&passages, 1), [0; 0]);
    let for_programs =
        |found: &[SearchResult]| worth_showing(found, FOR_PROGRAMS, ROOM, &|_| false).len();
    assert_eq!(for_programs(&passages), 2);
    assert_eq!(for_programs(&passages[1..]), 0);
}

#[test]
fn worth_showing_drops_older_value_if_newer_is_shown() {
    let older = found(1, 9.0, "The dose is 50 mg.");
    let newer = SearchResult {
        renews: Some(older.place()),
        ..found(2, 8.0, "The dose is 75 mg.")
    };
    let both = [newer.clone(), older.clone()];
    assert_eq!(lines(&both, 0), [2]);
    assert_eq!(lines(&both, 2), [0; 0]);
    let unlikely = SearchResult {
        likelihood: 0.01,
        ..newer
    };
    assert_eq!(lines(&[unlikely, older], 0), [1]);
}

#[test]
fn worth_showing_keeps_all_lines_of_named_period() {
    let of_span = |line| SearchResult {
        is_of_span: true,
        day: "2026-07-01".parse().ok(),
        ..found(line, 0.0, &format!("Swam {line} m"))
    };
    let passages: Vec<SearchResult> = (1..=9).map(of_span).collect();
    assert_eq!(lines(&passages, 0).len(), 9);
    let alike: Vec<SearchResult> = (1..=9)
        .map(|line| found(line, 5.0, &format!("Swam {line} m")))
        .collect();
    assert_eq!(lines(&alike, 0).len(), PASSAGES_MAX);
}

#[test]
fn for_weighing_keeps_passages_near_best() {
    let passages = vec![
        found(1, 9.0, "Where is the lock?"),
        found(2, 4.0, "The lock is red."),
        found(3, 2.5, "The lock code is 4711."),
        found(4, 1.9, "The door is blue."),
    ];
    let weighed = for_weighing(passages);
    let lines: Vec<usize> = weighed.iter().map(|it| it.start_line).collect();
    assert_eq!(lines, [2, 3]);
}

#[test]
fn pack_skips_passage_that_does_not_fit() {
    let passages = vec![found(1, 9.0, &"word ".repeat(400)), found(2, 8.0, "short")];
    let packed = pack(passages, TokenCount(100));
    let lines: Vec<usize> = packed.iter().map(|it| it.start_line).collect();
    assert_eq!(lines, [2]);
}
