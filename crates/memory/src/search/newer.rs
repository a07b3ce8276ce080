//! Puts the newer of two values before the older, where a question asks for what holds now.
//!
//! Looks at the first few results alone: age never decides what is found.

use std::collections::BTreeSet;

use base::Day;

use crate::terms::{Analyser, TermKind};

/// So many results are looked at.
pub(crate) const FIRST: usize = 3;

/// A newer message must meet this share of what the older one meets of the question.
const SHARE_MIN: f64 = 0.6;

/// How a question for a present value begins.
const OPENINGS: [&str; 17] = [
    "how many",
    "how much",
    "how often",
    "how long",
    "what is",
    "what s",
    "what are",
    "when is",
    "when are",
    "when will",
    "when do",
    "what time",
    "what day",
    "what date",
    "what deadline",
    "what percentage",
    "which",
];

/// Words by which a question asks for the past, for both values, or for the way between them.
const NOT_NOW: [&str; 24] = [
    "across",
    "before",
    "beginning",
    "between",
    "compare",
    "compared",
    "contradict",
    "contradictory",
    "difference",
    "earlier",
    "ever",
    "first",
    "initial",
    "initially",
    "never",
    "order",
    "original",
    "originally",
    "passed",
    "previous",
    "previously",
    "start",
    "started",
    "used",
];

/// Words that tell of a change.
const UPDATES: [&str; 44] = [
    "actually",
    "added",
    "adjusted",
    "already",
    "changed",
    "currently",
    "decreased",
    "expanded",
    "extended",
    "grew",
    "grown",
    "improved",
    "improving",
    "increased",
    "increasing",
    "instead",
    "just",
    "latest",
    "more",
    "moved",
    "moving",
    "new",
    "now",
    "postponed",
    "pushed",
    "raised",
    "reach",
    "reached",
    "recent",
    "recently",
    "reduced",
    "rescheduled",
    "revised",
    "shifted",
    "since",
    "switched",
    "total",
    "up",
    "update",
    "updated",
    "updates",
    "updating",
    "upgraded",
    "upgrading",
];

/// Whether a question asks for what holds now; its words in lower case.
pub(crate) fn asks_newest(words: &[String]) -> bool {
    let flat = words.join(" ");
    let begins = OPENINGS.iter().any(|opening| {
        flat.strip_prefix(opening)
            .is_some_and(|rest| rest.starts_with(' '))
    });
    begins && !words.iter().any(|word| NOT_NOW.contains(&word.as_str()))
}

/// What a message says about a question: its best sentence.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Claim {
    /// What of the question stands in the sentence.
    met: BTreeSet<String>,
    /// Whether it gives a figure as something that has changed.
    is_update: bool,
}

impl Claim {
    /// The claim of a text about a question whose stems are given.
    pub(crate) fn of(text: &str, stems: &BTreeSet<String>) -> Self {
        let mut analyser = Analyser::new();
        let mut best = Self::default();
        for sentence in sentences(text) {
            let mut met = BTreeSet::new();
            analyser.each(sentence, &mut |kind, term| {
                if kind == TermKind::Stem && stems.contains(term) {
                    met.insert(term.to_owned());
                }
            });
            if met.len() > best.met.len() {
                let is_update = is_update(sentence);
                best = Self { met, is_update };
            }
        }
        best
    }

    /// Whether this claim, said later, is about the same as an older one.
    pub(crate) fn renews(&self, older: &Self) -> bool {
        let n_common = self.met.intersection(&older.met).count();
        self.is_update && n_common > 0 && real(n_common) >= SHARE_MIN * real(older.met.len())
    }
}

/// Sentences of a text; a point inside a figure ends none.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .flat_map(|line| line.split(". "))
        .flat_map(|part| part.split("? "))
        .flat_map(|part| part.split("! "))
}

fn is_update(sentence: &str) -> bool {
    let has_figure = sentence.bytes().any(|byte| byte.is_ascii_digit());
    let mut words = sentence
        .split(|c: char| !c.is_alphanumeric())
        .map(str::to_lowercase);
    has_figure && words.any(|word| UPDATES.contains(&word.as_str()))
}

/// The order in which results are shown: a claim that renews an older one stands before it.
///
/// `claims` are those of the first results, best first, each with its place in time. Gives their
/// indexes, each with the one that it renews.
pub(crate) fn newer_first(claims: &[(Moment, Claim)]) -> Vec<(usize, Option<usize>)> {
    let mut order: Vec<(usize, Option<usize>)> = Vec::with_capacity(claims.len());
    for (idx, (at, claim)) in claims.iter().enumerate() {
        let renewed = order.iter().position(|(older, _)| {
            claims
                .get(*older)
                .is_some_and(|(older_at, older)| at > older_at && claim.renews(older))
        });
        match renewed {
            Some(to) => order.insert(to, (idx, order.get(to).map(|(older, _)| *older))),
            None => order.push((idx, None)),
        }
    }
    order
}

/// When something was said: its day, then its line.
pub(crate) type Moment = (Option<Day>, usize);

/// Counts of words are small.
fn real(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::MAX, f64::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stems(words: &[&str]) -> BTreeSet<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn a_renewed_value_stands_before_the_older() {
        let asked = stems(&["test", "coverag"]);
        let older = Claim::of("My goal. The test coverage reached 65% today.", &asked);
        let newer = Claim::of("I raised the test coverage, which is now 78%.", &asked);
        let other = Claim::of("The coverage of the roof is 20 meters.", &asked);
        assert!(newer.renews(&older) && !other.renews(&older));
        let claims = [
            ((None, 1), older.clone()),
            ((None, 9), other),
            ((None, 5), newer.clone()),
        ];
        assert_eq!(newer_first(&claims), [(2, Some(0)), (0, None), (1, None)]);
        let claims = [((None, 5), newer), ((None, 1), older)];
        assert_eq!(newer_first(&claims), [(0, None), (1, None)]);
    }

    #[test]
    fn only_what_holds_now_is_asked_for() {
        let asks = |text: &str| {
            let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
            asks_newest(&words)
        };
        assert!(asks("how many cards are there") && asks("what is my target"));
        assert!(!asks("how many days between a and b") && !asks("what was the original plan"));
        assert!(!asks("where did i go"));
    }
}
