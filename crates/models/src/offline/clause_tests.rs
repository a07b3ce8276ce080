//! Statements without their doubts, and long ones cut.

use proptest::prelude::*;

use super::super::question::{Parted, part};
use super::*;

#[test]
fn doubts_are_left_out_unless_they_hold_facts() {
    assert_eq!(
        clauses("I wrote the first draft, but I'm not sure if it's good"),
        ["I wrote the first draft"]
    );
    assert_eq!(
        clauses("I wrote the first draft, but I'm not sure if 80% is enough"),
        ["I wrote the first draft, but I'm not sure if 80% is enough"]
    );
    assert!(clauses("I want to make sure it works.").is_empty());
}

#[test]
fn a_long_statement_is_cut_where_a_clause_of_its_own_begins() {
    let part = |n: usize| format!("I paid invoice {n} to the supplier in Porto, Lisbon, and Faro");
    let long = (1..=8).map(part).collect::<Vec<_>>().join(", and ");
    let cut = clauses(&long);
    assert!(
        cut.iter()
            .all(|clause| clause.starts_with("I paid") && clause.ends_with("Faro")),
        "{cut:?}"
    );
    assert!(
        cut.iter()
            .all(|clause| clause.chars().count() <= NOTE_CHARS_MAX),
        "{cut:?}"
    );
}

proptest! {
    #[test]
    fn i16_clauses_are_parts_of_their_sentence(sentence in "\\PC{0,400}|([a-zI', .?]{1,12}){0,80}") {
        let Parted { statement, question, reason } = part(&sentence);
        for piece in [statement, question, reason].into_iter().flatten() {
            prop_assert!(sentence.contains(piece));
            for clause in clauses(piece) {
                prop_assert!(piece.contains(clause));
                prop_assert!(clause.chars().count() <= NOTE_CHARS_MAX);
            }
        }
    }
}
