//! Compares texts by their words.
//!
//! Knows no synonym, and no grammar but the endings of English words; whom a text is about and what it
//! tells of them is read by the grammar of slots.

use std::collections::BTreeSet;

use crate::ban::{Ban, ban};
use crate::slot::{Ended, Told, ended, told};
use crate::stance::{Stance, stance};
use crate::wish::{Wish, wish};

/// Words that say nothing about what a text is about.
#[rustfmt::skip]
const STOP_WORDS: &[&str] = &[
    "the", "a", "an", "and", "or", "but", "of", "to", "in", "on", "at", "for", "with", "by", "from",
    "is", "are", "was", "were", "be", "been", "it", "its", "this", "that", "these", "those", "i",
    "im", "ive", "id", "ill", "you", "your", "we", "our", "my", "me", "as", "so", "do", "does",
    "did", "have", "has", "had", "can", "could", "will", "would", "should", "then", "just", "also",
    "still", "please", "all", "some", "any", "if", "when", "there", "than", "too", "very", "really",
    "about", "into", "because", "due", "since", "which", "who", "what", "how", "owner", "user",
    "turn", "turns", "turned",
];

/// Words that deny.
#[rustfmt::skip]
const NEGATIONS: &[&str] = &[
    "not", "never", "no", "dont", "doesnt", "didnt", "isnt", "arent", "cant", "cannot", "wont",
    "without", "avoid", "stop", "dislike", "dislikes", "hate", "hates", "nicht", "kein", "keine",
    "nie", "jamais", "pas", "nunca", "stopped", "quit", "anymore",
];

/// Names of months beside a number; elsewhere they say other things.
const MAYBE_MONTHS: &[&str] = &["may", "march"];

/// Names of months and days belong to dates, like numbers.
#[rustfmt::skip]
const MONTHS: &[&str] = &[
    "january", "february", "april", "june", "july", "august", "september", "october", "november",
    "december", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
];

/// Letters from here on belong to scripts without spaces between words.
const DENSE_FROM: char = '\u{2e80}';

/// Words that say when something was, and nothing of what it was.
#[rustfmt::skip]
const WHEN: &[&str] = &[
    "yesterday", "today", "tonight", "tomorrow", "last", "next", "day", "week", "weekend", "month", "year", "ago",
    "morning", "afternoon", "evening", "night", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
    "sunday",
];

/// The words of a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Words {
    /// Stems of the words that say what it is about, numbers among them.
    pub(crate) telling: BTreeSet<String>,
    /// The tokens with digits, and the names of months and days.
    pub(crate) figures: BTreeSet<String>,
    /// Whether it denies something.
    pub(crate) is_negative: bool,
    /// All its words in lower case, in order.
    pub(crate) plain: String,
    /// What it tells of whom.
    pub(crate) told: Told,
    /// What it says has come to an end.
    pub(crate) ended: Option<Ended>,
    /// What the owner likes or is, or not.
    pub(crate) stance: Option<Stance>,
    /// How it wants every answer to be.
    pub(crate) wish: Option<Wish>,
    /// What it forbids the assistant, or allows again.
    pub(crate) ban: Option<Ban>,
    /// As it was written.
    pub(crate) text: String,
}

/// The headings under which a home, a job or a name is told.
const ABOUT_PEOPLE: [&str; 3] = ["About the Owner", "Projects and People", "Preferences"];

/// The words of a finding under a heading.
pub(crate) fn words_under(section: &str, finding: &str) -> Words {
    let mut own = words(finding);
    // `We moved to Postgres` is a decision, not a home.
    if !ABOUT_PEOPLE.contains(&section) {
        own.told.slot = None;
    }
    own
}

/// The words of a text.
pub(crate) fn words(text: &str) -> Words {
    let mut words = Words::default();
    words.plain.push(' ');
    let lower = text.to_lowercase().replace(['\'', '\u{2019}'], "");
    let tokens: Vec<&str> = lower
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '.' | '_' | '-')))
        .map(|token| token.trim_matches(['.', '_', '-']))
        .filter(|token| !token.is_empty())
        .collect();
    for (place, token) in tokens.iter().copied().enumerate() {
        let beside = [place.checked_sub(1), Some(place + 1)];
        let is_beside_a_number = beside.into_iter().flatten().any(|place| {
            let other = tokens.get(place);
            other.is_some_and(|other| other.starts_with(|c: char| c.is_ascii_digit()))
        });
        let is_date =
            MONTHS.contains(&token) || is_beside_a_number && MAYBE_MONTHS.contains(&token);
        words.plain.push_str(token);
        words.plain.push(' ');
        if NEGATIONS.contains(&token) {
            words.is_negative = true;
        }
        if is_date || token.chars().any(|c| c.is_ascii_digit()) {
            words.figures.insert(token.to_owned());
            words.telling.insert(token.to_owned());
        } else if token.chars().any(|c| c >= DENSE_FROM) {
            let letters: Vec<char> = token.chars().collect();
            let pairs = letters.windows(2).map(|pair| pair.iter().collect());
            words.telling.extend(pairs);
        } else if !STOP_WORDS.contains(&token) {
            for part in token.split(['.', '_', '-']).filter(|part| !part.is_empty()) {
                words.telling.insert(stem(part));
            }
        }
    }
    words.told = told(text);
    words.ended = ended(text);
    words.stance = stance(text);
    words.wish = wish(text);
    words.ban = ban(text);
    text.clone_into(&mut words.text);
    words
}

/// A word without its ending.
pub(crate) fn stem(word: &str) -> String {
    let endings = ["ings", "ing", "ies", "ied", "ed", "es", "s", "e", "y"];
    let stem = endings.iter().find_map(|ending| {
        word.strip_suffix(ending)
            .filter(|rest| rest.chars().count() >= 3)
    });
    stem.unwrap_or(word).to_owned()
}

impl Words {
    /// How many words both have.
    pub(crate) fn n_shared(&self, other: &Self) -> usize {
        self.telling.intersection(&other.telling).count()
    }

    /// Whether both have a word besides those that say when.
    pub(crate) fn shares_a_matter(&self, other: &Self) -> bool {
        let is_when = |word: &String| WHEN.iter().any(|when| stem(when) == *word);
        let mut shared = self.telling.intersection(&other.telling);
        shared.any(|word| !self.figures.contains(word) && !is_when(word))
    }

    /// How many hundredths of its words the other has too.
    pub(crate) fn covered_by(&self, other: &Self) -> usize {
        percent(self.n_shared(other), self.telling.len())
    }

    /// How many hundredths of the words of both are shared.
    pub(crate) fn alike(&self, other: &Self) -> usize {
        let n_shared = self.n_shared(other);
        percent(
            n_shared,
            self.telling.len() + other.telling.len() - n_shared,
        )
    }

    /// How many hundredths of the words of both are shared, figures left out.
    pub(crate) fn alike_without_figures(&self, other: &Self) -> usize {
        let own: BTreeSet<&String> = self.telling.difference(&self.figures).collect();
        let others: BTreeSet<&String> = other.telling.difference(&other.figures).collect();
        percent(
            own.intersection(&others).count(),
            own.union(&others).count(),
        )
    }

    /// Whether it only tells that something was given up, and of no job.
    pub(crate) fn is_end_alone(&self) -> bool {
        let is_event = self.ended.as_ref().is_some_and(Ended::is_event);
        is_event && self.told.slot.is_none()
    }

    /// Whether it only allows the assistant something again.
    pub(crate) fn allows_again(&self) -> bool {
        self.ban.as_ref().is_some_and(Ban::is_lifted)
    }

    /// Whether one of the phrases stands in it; each has blanks at its ends.
    pub(crate) fn holds(&self, phrases: &[&str]) -> bool {
        phrases.iter().any(|phrase| self.plain.contains(phrase))
    }
}

fn percent(part: usize, whole: usize) -> usize {
    (part * 100).checked_div(whole).unwrap_or(0)
}

#[cfg(test)]
#[path = "words_tests.rs"]
mod tests;
