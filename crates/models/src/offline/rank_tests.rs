//! What counts as the same, what ends what, and what there is room for.

use super::*;

fn is_ended(point: &str, ends: &[&str]) -> bool {
    let ends: Vec<Subject> = ends.iter().map(|end| subject(end)).collect();
    subject(point).is_ended_by(ends.iter())
}

#[test]
fn a_report_ends_the_point_that_it_is_about() {
    assert!(is_ended(
        "Remaining: refresh token logic",
        &["I've finished refreshToken.ts"]
    ));
    assert!(is_ended("write the tests", &["the tests are done"]));
    assert!(is_ended(
        "write the rollback script and rehearse with Maria",
        &["finished the rollback script", "rehearsed with Maria"]
    ));
}

#[test]
fn a_report_about_something_else_ends_nothing() {
    assert!(!is_ended(
        "write the rollback script and rehearse with Maria",
        &["finished the rollback script"]
    ));
    assert!(!is_ended(
        "fix the crash in the parser when the input is empty",
        &["fixed the parser tests"]
    ));
    assert!(!is_ended("call the bank", &["I've finished the report"]));
    assert!(!is_ended("", &[""]));
}

#[test]
fn room_is_never_overdrawn() {
    let lines = ["a", "some words here", "\u{65e5}\u{672c}\u{8a9e}", ""];
    for tokens in 0..30 {
        let mut room = Room::new(TokenCount(tokens));
        let taken: Vec<&str> = lines.into_iter().filter(|line| room.take(line)).collect();
        assert!(estimate_text(&(taken.join("\n") + "\n")) <= TokenCount(tokens.max(1)));
    }
}
