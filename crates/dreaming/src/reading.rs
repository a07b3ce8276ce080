//! The port through which checks ask what a text says: by whom, in figures, dates and denials.
//!
//! Knows no language itself: what it answers comes from data files that the caller has.

use std::collections::BTreeSet;

use base::Day;

/// Tells what a text says.
#[derive(Debug, Clone, Copy)]
pub struct Reading {
    /// What of a message its writer says in person; the rest is blanked out.
    pub in_person: fn(&str) -> String,
    /// The figures that follow from the words of a text which was said on a day: numbers written as words, and the
    /// parts of the dates that it may mean. Those that it writes with digits need not be given.
    pub said: fn(&str, Day) -> BTreeSet<u64>,
    /// The figures that a text claims in words, each with all its readings.
    pub claimed: fn(&str) -> Vec<BTreeSet<u64>>,
    /// Whether a word, in lower case, belongs to the calendar, such as the name of a month.
    pub is_calendar_word: fn(&str) -> bool,
    /// Whether a text denies or forbids something.
    pub denies: fn(&str) -> bool,
    /// Whether a text is in a language whose denials are known.
    pub knows_denials: fn(&str) -> bool,
    /// Whether a text is in a language that writes every noun with a capital.
    pub capitalises_nouns: fn(&str) -> bool,
    /// The words of a text that say nothing by themselves, in lower case; none where its language is not known.
    pub common_words: fn(&str) -> BTreeSet<String>,
}
