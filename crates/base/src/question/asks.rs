//! Tells how surely a text asks.
//!
//! Reads the words alone; a mark may end what begins with a statement, so whoever parts the two looks for it.

use super::{east_asian, opening};

/// What ends a question: the marks of Latin, Chinese, Arabic and Greek.
pub const QUESTION_MARKS: [char; 4] = ['?', '\u{ff1f}', '\u{61f}', '\u{37e}'];

/// How surely a text asks.
///
/// Who would lose a statement that is taken for a question trusts only [`Surely`](Self::Surely); who only puts
/// questions behind statements takes [`Perhaps`](Self::Perhaps), too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Asks {
    /// Its words ask nothing.
    No,
    /// A question mark makes a question of it; without one it may as well be a statement: `when I moved`.
    Perhaps,
    /// Its words ask, whatever ends it: `where do I live`.
    Surely,
}

/// How surely a sentence or clause asks, by its words.
///
/// # Examples
///
/// ```
/// use base::{Asks, asks};
///
/// assert_eq!(asks("where do I live"), Asks::Surely);
/// assert_eq!(asks("was I late"), Asks::Surely);
/// assert_eq!(asks("was the train late"), Asks::Perhaps);
/// assert_eq!(asks("the train was late"), Asks::No);
/// ```
pub fn asks(text: &str) -> Asks {
    opening::asks(text).max(east_asian::asks(text))
}

#[cfg(test)]
#[path = "asks_tests.rs"]
mod tests;
