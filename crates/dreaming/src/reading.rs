//! The port through which checks ask what a text says in figures, dates and denials.
//!
//! Knows no language itself: what it answers comes from data files that the caller has.

use std::collections::BTreeSet;
use std::fmt::Debug;

use base::Day;

/// What a text says in figures, dates and denials.
pub trait Reading: Send + Sync + Debug {
    /// The numbers that follow from a text which was said on a day: numbers written as words, and year, month and day
    /// of the dates that it names, such as `last month`. Without leading zeros; those that stand there need not be given.
    fn figures(&self, text: &str, said_on: Day) -> BTreeSet<String>;

    /// The numbers of the dates that a text writes with words, such as the 10 of `October`.
    fn dates(&self, text: &str, said_on: Day) -> BTreeSet<String>;

    /// Whether a word, in lower case, belongs to the calendar, such as the name of a month.
    fn is_calendar_word(&self, word: &str) -> bool;

    /// Whether a text denies or forbids something.
    fn denies(&self, text: &str) -> bool;
}
