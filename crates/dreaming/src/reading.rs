//! The port through which checks ask what a text says: by whom, in figures, dates and denials.
//!
//! Knows no language itself: what it answers comes from data files that the caller has.

use std::collections::BTreeSet;
use std::fmt::Debug;

use base::Day;

/// What a text says: by whom, in figures, dates and denials.
pub trait Reading: Send + Sync + Debug {
    /// What of a message its writer says in person; the rest is blanked out.
    fn in_person(&self, message: &str) -> String;

    /// The figures that follow from the words of a text which was said on a day: numbers written as words, and the
    /// parts of the dates that it may mean. Those that it writes with digits need not be given.
    fn said(&self, text: &str, said_on: Day) -> BTreeSet<u64>;

    /// The figures that a text claims in words, each with all its readings.
    fn claimed(&self, text: &str) -> Vec<BTreeSet<u64>>;

    /// Whether a word, in lower case, belongs to the calendar, such as the name of a month.
    fn is_calendar_word(&self, word: &str) -> bool;

    /// Whether a text denies or forbids something.
    fn denies(&self, text: &str) -> bool;

    /// Whether a text is in a language whose denials are known.
    fn knows_denials(&self, text: &str) -> bool;

    /// Whether a text is in a language that writes every noun with a capital.
    fn capitalises_nouns(&self, text: &str) -> bool;

    /// The words of a text that say nothing by themselves, in lower case; none where its language is not known.
    fn common_words(&self, text: &str) -> BTreeSet<String>;
}
