//! Chooses the best of many statements: near-identical ones once, and no more than there is room for.
//!
//! Deterministic and linear in what it is given: only a bounded number is compared pair by pair.

use std::collections::BTreeSet;

use base::{TokenCount, estimate_text};

use super::identifier::figures;
use super::signal::{Plain, plain};
use super::statement::Statement;
use super::template::without_phrase;

/// The most statements that are compared pair by pair.
const COMPARED_MAX: usize = 300;

/// Statements that share this many hundredths of their words are the same.
const SAME_PERCENT: usize = 80;

/// An open point that shares this many hundredths of its words with a report of an end is ended by it.
const ENDED_PERCENT: usize = 60;

/// A report of one word ends only a point of so few.
const TERSE_WORDS_MAX: usize = 3;

/// Fewer words in common end nothing.
const ENDED_WORDS_MIN: usize = 2;

/// Words that say nothing about which thing is meant.
#[rustfmt::skip]
const STOP_WORDS: &[&str] = &[
    "the", "a", "an", "and", "or", "but", "of", "to", "in", "on", "at", "for", "with", "by", "from",
    "is", "are", "was", "were", "be", "been", "it", "its", "it's", "this", "that", "these", "those",
    "i", "i'm", "i've", "i'd", "i'll", "you", "your", "we", "we've", "our", "my", "me", "as", "so",
    "do", "does", "did", "have", "has", "had", "can", "could", "will", "would", "should", "then",
    "now", "just", "also", "still", "need", "needs", "next", "step", "remaining", "open", "done",
    "finished", "fixed", "completed", "continue", "work", "working", "today", "tomorrow", "please",
    "not", "all", "some", "last", "request", "after", "before", "help", "give", "provide", "tips",
    "advice", "suggestions", "make", "sure", "any", "example", "how", "what", "which", "if",
    "there", "know", "let", "get", "use", "using", "correctly", "good", "better", "best", "way",
    "like", "think", "more", "most", "out", "about", "further", "some", "am", "here", "want",
    "trying", "kinda", "really", "add", "added",
];

/// Of them those that a question may be about, where it holds no other word: `Where do I work?`
const ASKED_WORDS: &[&str] = &[
    "work",
    "working",
    "like",
    "need",
    "want",
    "use",
    "using",
    "open",
    "think",
    "know",
    "make",
    "help",
    "finished",
    "done",
    "fixed",
    "completed",
    "today",
    "tomorrow",
    "trying",
];

/// The words of a text that say which thing it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Subject(BTreeSet<String>);

/// Words that deny.
const NEGATIONS: &[&str] = &[
    "not", "never", "no", "none", "cannot", "without", "anymore", "quit", "stopped", "left",
];

/// Whether a text denies something: what is said and what denies it are not the same.
fn is_denial(text: &str) -> bool {
    let Plain(words) = plain(text);
    words
        .split_whitespace()
        .any(|word| NEGATIONS.contains(&word) || word.ends_with("n't"))
}

/// The subject of a text: its words without common ones and numbers, cut to their stems, names from code
/// taken apart.
pub(super) fn subject(text: &str) -> Subject {
    subject_without(text, |word| STOP_WORDS.contains(&word))
}

/// The same with the words that are common and may be what a question is about all the same.
pub(super) fn wide_subject(text: &str) -> Subject {
    subject_without(text, |word| {
        STOP_WORDS.contains(&word) && !ASKED_WORDS.contains(&word)
    })
}

fn subject_without(text: &str, is_common: fn(&str) -> bool) -> Subject {
    let mut parted = String::with_capacity(text.len());
    let mut previous_is_lower = false;
    for character in text.chars() {
        if previous_is_lower && character.is_uppercase() {
            parted.push(' ');
        }
        previous_is_lower = character.is_lowercase();
        parted.push(character);
    }
    let Plain(words) = plain(&parted);
    let telling = words.split_whitespace().filter(|word| {
        let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
        !is_number && !is_common(word)
    });
    Subject(telling.map(stem).collect())
}

fn stem(word: &str) -> String {
    let endings = ["ing", "ed", "es", "s", "e"];
    let stem = endings.iter().find_map(|ending| {
        word.strip_suffix(ending)
            .filter(|rest| rest.chars().count() >= 3)
    });
    stem.unwrap_or(word).to_owned()
}

impl Subject {
    /// How many different things the text names, as far as words tell.
    pub(super) fn n_words(&self) -> usize {
        self.0.len()
    }

    /// The same without the words with which a question begins.
    pub(super) fn without_asking(self) -> Self {
        self.without(&["when", "where", "who", "whom", "whose", "why"])
    }

    /// The same without these words, which are in lower case.
    pub(super) fn without(mut self, words: &[&str]) -> Self {
        for word in words {
            self.0.remove(&stem(word));
        }
        self
    }

    /// This one, or the other where it is empty.
    pub(super) fn or(self, other: Self) -> Self {
        if self.0.is_empty() { other } else { self }
    }

    /// How many of them two texts have in common.
    pub(super) fn n_shared(&self, other: &Self) -> usize {
        self.0.intersection(&other.0).count()
    }

    /// Whether two texts have nearly the same words.
    fn is_near(&self, other: &Self) -> bool {
        let n_shared = self.n_shared(other);
        if n_shared == 0 {
            return false;
        }
        let n_all = self.0.len() + other.0.len() - n_shared;
        n_shared * 100 >= n_all * SAME_PERCENT
    }

    /// Whether reports about these subjects, taken together, close this point.
    pub(super) fn is_ended_by<'a>(&self, ends: impl Iterator<Item = &'a Self>) -> bool {
        let mut covered: BTreeSet<&String> = BTreeSet::new();
        for end in ends {
            let shared: Vec<&String> = self.0.intersection(&end.0).collect();
            // `The tests are done` ends `write the tests`, but not every longer point in which tests occur.
            if end.n_words() == 1 && !shared.is_empty() && self.n_words() <= TERSE_WORDS_MAX {
                return true;
            }
            if shared.len() >= ENDED_WORDS_MIN {
                covered.extend(shared);
            }
        }
        !covered.is_empty() && covered.len() * 100 >= self.n_words() * ENDED_PERCENT
    }
}

/// The statements without repetitions, best first; one that is said again cites both places.
///
/// Two that differ in a figure or a name that must be exact, or of which one denies, are never the same.
pub(super) fn distinct(mut statements: Vec<Statement>) -> Vec<Statement> {
    statements.sort_by(|left, right| {
        right
            .score
            .cmp(&left.score)
            .then_with(|| left.excerpts.cmp(&right.excerpts))
    });
    statements.truncate(COMPARED_MAX);
    let mut kept: Vec<(Statement, (Subject, bool), Vec<String>)> = Vec::new();
    for statement in statements {
        let own = without_phrase(&statement.text);
        let (subject, denies) = (subject(own), is_denial(own));
        let own_figures: Vec<String> = figures(own).into_iter().map(str::to_owned).collect();
        let twin = kept.iter_mut().find(|(_, (other, other_denies), theirs)| {
            *theirs == own_figures && *other_denies == denies && other.is_near(&subject)
        });
        if let Some((twin, ..)) = twin {
            let more = statement
                .excerpts
                .into_iter()
                .filter(|at| !twin.excerpts.contains(at));
            let more: Vec<usize> = more.collect();
            twin.excerpts.extend(more);
            twin.excerpts.sort_unstable();
        } else {
            kept.push((statement, (subject, denies), own_figures));
        }
    }
    kept.into_iter().map(|(statement, ..)| statement).collect()
}

/// A budget of tokens that lines are paid from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    left: TokenCount,
}

impl Room {
    /// Room for so many tokens.
    pub(super) fn new(tokens: TokenCount) -> Self {
        Self { left: tokens }
    }

    /// Takes the room of a line with its end, if there is enough.
    pub(super) fn take(&mut self, line: &str) -> bool {
        // Rounded up per line, so that the sum is never below the estimate of the whole.
        let cost = estimate_text(line) + TokenCount(1);
        let fits = cost <= self.left;
        if fits {
            self.left = self.left.saturating_sub(cost);
        }
        fits
    }

    /// What is left.
    pub(super) fn left(self) -> TokenCount {
        self.left
    }
}

#[cfg(test)]
#[path = "rank_tests.rs"]
mod tests;
