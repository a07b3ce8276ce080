//! What an answer is worth: how much of what is right stands in it, and how early.
//!
//! Pure: takes what was found and what is right.

use std::ops::RangeInclusive;

use search::{SearchResult, Source};

use super::set::{Place, Question};

/// How many results are looked at.
const FIRST: usize = 10;

/// How many tokens of text are looked at; a token counts for four characters here.
const SHOWN_CHARS_MAX: usize = 4_000;

/// Fewest characters by which a message counts as shown, where it has them.
const SHOWN_CHARS_MIN: usize = 180;

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Figures {
    /// Share of what is right among the first ten places.
    pub(crate) recall: f64,
    /// Share of what is right within the first thousand tokens of text.
    pub(crate) shown: f64,
    pub(crate) first: f64,
    /// Discounted gain of the first ten against the best possible.
    pub(crate) ndcg: f64,
    /// Whether the newer of two values stands first, where both were found.
    pub(crate) newer: Option<f64>,
}

/// Measures an answer; `length_of` tells how long the whole message of a place is.
pub(crate) fn measure(
    results: &[SearchResult],
    question: &Question,
    length_of: &dyn Fn(&Place) -> usize,
) -> Figures {
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
    let is_right = |place: &Place| {
        question
            .gold
            .iter()
            .any(|(right, grade)| right == place && *grade > 0)
    };
    Figures {
        recall: share(head, question),
        shown: share(&shown, question),
        first: f64::from(u8::from(head.first().is_some_and(is_right))),
        ndcg: ndcg(head, question),
        newer: newer(head, question),
    }
}

/// The different places of results, in order; a message counts only where enough of it is shown.
fn places<'r>(
    results: impl Iterator<Item = &'r SearchResult>,
    lines: &dyn Fn(&SearchResult) -> RangeInclusive<usize>,
    length_of: &dyn Fn(&Place) -> usize,
) -> Vec<Place> {
    let mut found: Vec<Place> = Vec::new();
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

fn share(found: &[Place], question: &Question) -> f64 {
    let n_found = question
        .gold
        .iter()
        .filter(|(place, _)| found.contains(place))
        .count();
    real(n_found) / real(question.gold.len().max(1))
}

fn ndcg(head: &[Place], question: &Question) -> f64 {
    let gain = |grades: &mut dyn Iterator<Item = u32>| -> f64 {
        grades
            .enumerate()
            .map(|(rank, grade)| f64::from(grade) / (real(rank) + 2.0).log2())
            .sum()
    };
    let grade = |place: &Place| {
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

fn newer(head: &[Place], question: &Question) -> Option<f64> {
    let (older, newer) = question.pair.as_ref()?;
    let first = |places: &[Place]| head.iter().position(|place| places.contains(place));
    let (older, newer) = first(older).zip(first(newer))?;
    (older != newer).then(|| f64::from(u8::from(newer < older)))
}

/// Counts of results are small.
pub(crate) fn real(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::MAX, f64::from)
}

/// The value in the middle.
pub(crate) fn median<T: Ord + Copy>(mut values: Vec<T>) -> Option<T> {
    values.sort_unstable();
    values.get(values.len() / 2).copied()
}

/// The mean of some values; 0 where there are none.
pub(crate) fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0_usize);
    for value in values {
        sum += value;
        count += 1;
    }
    if count == 0 { 0.0 } else { sum / real(count) }
}
