//! Metrics of a search answer: how many of the right places it contains, and at which ranks.
//!
//! Pure.

use std::ops::RangeInclusive;

use search::{SearchResult, Source};

use super::set::{GoldPlace, SetQuestion};

/// The cutoff rank of recall and nDCG.
const FIRST: usize = 10;

/// The cutoff of `shown` in characters: 1,000 tokens of four characters.
const SHOWN_CHARS_MAX: usize = 4_000;

/// The number of characters of a message that must be shown for it to count. Shorter messages must be shown whole.
const SHOWN_CHARS_MIN: usize = 180;

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct RetrievalFigures {
    /// The share of the right places among the first ten.
    pub(crate) recall: f64,
    /// The share of the right places within the first thousand tokens of text.
    pub(crate) shown: f64,
    pub(crate) first: f64,
    /// nDCG of the first ten places.
    pub(crate) ndcg: f64,
    /// 1 if the newer of two values ranks first, else 0; `None` unless both were found.
    pub(crate) newer: Option<f64>,
}

/// Measures an answer; `length_of` returns the length in characters of the message at a place.
pub(crate) fn measure(
    results: &[SearchResult],
    question: &SetQuestion,
    length_of: &dyn Fn(&GoldPlace) -> usize,
) -> RetrievalFigures {
    let is_whole = question.gold.iter().all(|((_, line), _)| *line == 0);
    let lines = |result: &SearchResult| {
        if is_whole {
            0..=0
        } else {
            result.start_line..=result.end_line
        }
    };
    let order = places(results.iter(), &lines, length_of);
    let mut n_chars = 0;
    let within = results.iter().take_while(|result| {
        n_chars += result.text.chars().count();
        n_chars <= SHOWN_CHARS_MAX
    });
    let shown = places(within, &lines, length_of);
    let head = order.get(..FIRST.min(order.len())).unwrap_or_default();
    let is_right = |place: &GoldPlace| {
        question
            .gold
            .iter()
            .any(|(right, grade)| right == place && *grade > 0)
    };
    RetrievalFigures {
        recall: share(head, question),
        shown: share(&shown, question),
        first: f64::from(u8::from(head.first().is_some_and(is_right))),
        ndcg: ndcg(head, question),
        newer: newer(head, question),
    }
}

/// The distinct places of results, in order. A message counts only if enough of it is shown.
fn places<'r>(
    results: impl Iterator<Item = &'r SearchResult>,
    lines: &dyn Fn(&SearchResult) -> RangeInclusive<usize>,
    length_of: &dyn Fn(&GoldPlace) -> usize,
) -> Vec<GoldPlace> {
    let mut found: Vec<GoldPlace> = Vec::new();
    for result in results {
        for line in lines(result) {
            let place = (result.path.clone(), line);
            let needed = match result.source {
                Source::Session => SHOWN_CHARS_MIN.min(length_of(&place)),
                Source::Memory => 0,
            };
            if result.text.chars().count() >= needed && !found.contains(&place) {
                found.push(place);
            }
        }
    }
    found
}

fn share(found: &[GoldPlace], question: &SetQuestion) -> f64 {
    let n_found = question
        .gold
        .iter()
        .filter(|(place, _)| found.contains(place))
        .count();
    real(n_found) / real(question.gold.len().max(1))
}

fn ndcg(head: &[GoldPlace], question: &SetQuestion) -> f64 {
    let gain = |grades: &mut dyn Iterator<Item = u32>| -> f64 {
        grades
            .enumerate()
            .map(|(rank, grade)| f64::from(grade) / (real(rank) + 2.0).log2())
            .sum()
    };
    let grade = |place: &GoldPlace| {
        let found = question.gold.iter().find(|(right, _)| right == place);
        found.map_or(0, |(_, grade)| *grade)
    };
    let mut best: Vec<u32> = question.gold.iter().map(|(_, grade)| *grade).collect();
    best.sort_unstable_by(|left, right| right.cmp(left));
    let ideal = gain(&mut best.into_iter().take(FIRST));
    if ideal > 0.0 {
        gain(&mut head.iter().map(grade)) / ideal
    } else {
        0.0
    }
}

fn newer(head: &[GoldPlace], question: &SetQuestion) -> Option<f64> {
    let (older, newer) = question.pair.as_ref()?;
    let first = |places: &[GoldPlace]| head.iter().position(|place| places.contains(place));
    let (older, newer) = first(older).zip(first(newer))?;
    (older != newer).then(|| f64::from(u8::from(newer < older)))
}

/// Converts a count to a float. Counts here are far below 2^53, so no precision is lost.
#[expect(clippy::cast_precision_loss, reason = "exact up to 2^53")]
pub(crate) fn real(count: usize) -> f64 {
    count as f64
}

/// The median; of an even number of values, the upper one.
pub(crate) fn median<T: Ord + Copy>(mut values: Vec<T>) -> Option<T> {
    values.sort_unstable();
    values.get(values.len() / 2).copied()
}

/// The mean; 0 for no values.
pub(crate) fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0_usize);
    for value in values {
        sum += value;
        count += 1;
    }
    if count == 0 { 0.0 } else { sum / real(count) }
}
