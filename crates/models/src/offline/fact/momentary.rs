//! Tells what is said to be so only now: `right now`, `at the moment`.
//!
//! Sees the words of one clause; knows no grammar.

use crate::offline::signal::plain;

/// Phrases of what holds for the moment.
#[rustfmt::skip]
const NOW: &[&str] = &[
    " right now ", " just now ", " at the moment ", " for the moment ", " for the time being ", " for now ",
    " at present ", " this minute ", " this very moment ", " at this moment ", " this instant ", " as we speak ",
];

/// Whether a clause says of itself that it holds for the moment.
pub(super) fn is_momentary(clause: &str) -> bool {
    let words = plain(clause);
    NOW.iter().any(|phrase| words.0.contains(phrase))
}
