//! The worth of a sentence: the likelihood that it should be noted, and the likelihood that it still holds in a year.
//!
//! Two logistic models over the head and over two facts that the head cannot see: the length of the sentence, and
//! whether it reports news. docs/performance.md says how they were fitted.

use base::n_words;

use crate::head::{Class, Likelihood};
use crate::language::{Cue, Language};

/// Weights of the head's log odds and of the logarithm of the length, and the bias.
const NOTED_WEIGHTS: [f32; 3] = [0.5, 0.5, -1.56];

/// Weights of a fact, a wish, a task, the logarithm of the length and news, and the bias.
const LASTING_WEIGHTS: [f32; 6] = [1.5, 3.0, -0.6, 1.5, 0.9, -5.85];

/// Up to this many words, a sentence is worth as much as a shorter one: `I live in Graz` is short.
const WORDS_MIN: usize = 10;

/// A sentence that is less likely than this to hold in a year does not last.
pub(crate) const LASTING_MIN: f32 = 0.35;

/// Keeps the log odds finite.
const ODDS_MIN: f32 = 0.001;

/// The likelihood that a sentence is worth a note: a short one needs a surer head than a long one.
pub(crate) fn noted(likely: &Likelihood, text: &str) -> f32 {
    let head = likely.noted().clamp(ODDS_MIN, 1.0 - ODDS_MIN);
    let odds = (head / (1.0 - head)).ln();
    let [by_head, by_length, bias] = NOTED_WEIGHTS;
    logistic(by_head * odds + by_length * length(text) + bias)
}

/// The likelihood that a sentence still holds in a year.
pub(crate) fn lasting(likely: &Likelihood, text: &str, language: Option<&Language>) -> f32 {
    let [fact, wish, task, by_length, by_news, bias] = LASTING_WEIGHTS;
    let head = fact * likely.of(Class::Fact)
        + wish * likely.of(Class::Wish)
        + task * likely.of(Class::Task);
    logistic(head + by_length * length(text) + by_news * news(text, language) + bias)
}

/// The logarithm of the number of words.
fn length(text: &str) -> f32 {
    let words = n_words(text).max(WORDS_MIN);
    let words = u16::try_from(words).unwrap_or(u16::MAX);
    f32::from(words).ln_1p()
}

/// 1 if a sentence reports a change.
fn news(text: &str, language: Option<&Language>) -> f32 {
    let tells = language.is_some_and(|it| it.holds(Cue::Change, text));
    f32::from(u8::from(tells))
}

fn logistic(sum: f32) -> f32 {
    1.0 / (1.0 + (-sum).exp())
}

#[cfg(test)]
#[path = "worth_tests.rs"]
mod tests;
