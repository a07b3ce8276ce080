//! Selects, counts and orders the lines about a question within the days that it names.
//!
//! Language-independent: a line counts if it holds nearly as much of the question's words as the best line does.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use base::dates::DaySpan;
use base::{Day, counted};

use super::gather::Gathered;
use super::model::{SearchAnswer, SearchResult};
use super::newer::AskedWord;
use super::query::Question;
use super::ranked::{Best, Ranked};

/// The count of lines about a question within the days that it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpanCount {
    /// The days that the question names.
    pub days: DaySpan,
    /// Number of lines; repetitions count separately.
    pub n_lines: usize,
    /// Number of days with such a line.
    pub n_days: usize,
}

/// A line counts if it holds at least this share of the question's words, without its days, that the best line
/// contains.
///
/// Words are weighted by IDF. Tuned on the development half of the "how often" questions.
const HELD_SHARE_MIN: f64 = 0.75;

impl SpanCount {
    /// Counts the results of the span; `None` if there are none.
    fn of(days: DaySpan, results: &[SearchResult]) -> Option<Self> {
        let with_line: BTreeSet<Day> = results.iter().filter_map(|it| it.day).collect();
        (!results.is_empty()).then(|| Self {
            days,
            n_lines: n_lines(results),
            n_days: with_line.len(),
        })
    }

    /// The count in words, and how many of the lines are among `results`, as in `7 lines on 5 days, 2026-07-01 to
    /// 2026-07-31, in order`.
    pub fn in_words<'r>(&self, results: impl IntoIterator<Item = &'r SearchResult>) -> String {
        let lines = counted(self.n_lines as u64, "line", "lines");
        let days = counted(self.n_days as u64, "day", "days");
        let DaySpan { first, last } = self.days;
        let order = match n_lines(results.into_iter().filter(|it| it.is_of_span)) {
            1 if self.n_lines == 1 => String::new(),
            n_shown if n_shown == self.n_lines => ", in order".to_owned(),
            n_shown => format!("; {n_shown} of them, in order"),
        };
        format!("{lines} on {days}, {first} to {last}{order}")
    }
}

/// The number of places of some results, repetitions included.
fn n_lines<'r>(results: impl IntoIterator<Item = &'r SearchResult>) -> usize {
    results.into_iter().map(|it| 1 + it.also.len()).sum()
}

impl SearchAnswer {
    /// Drops the count if it exceeds the lines shown: the reader may not be allowed to see the rest.
    pub fn keep_shown_span(&mut self) {
        let n_shown = n_lines(self.results.iter().filter(|it| it.is_of_span));
        self.span = self.span.filter(|span| span.n_lines == n_shown);
    }
}

/// Orders results by importance, for truncation: the first and the last line of the span, then the best ones, then the
/// other results unchanged.
pub fn ends_first(results: &mut [SearchResult]) {
    in_order(results);
    let n_of_span = results.iter().filter(|it| it.is_of_span).count();
    let (of_span, _) = results.split_at_mut(n_of_span);
    let Some((_, later)) = of_span.split_first_mut() else {
        return;
    };
    later.rotate_right(1.min(later.len()));
    let (ends, between) = of_span.split_at_mut(n_of_span.min(2));
    for part in [ends, between] {
        part.sort_by(|left, right| right.score.total_cmp(&left.score));
    }
}

/// Puts the lines of a span first, in date order, then the other results unchanged.
pub fn in_order(results: &mut [SearchResult]) {
    results.sort_by_cached_key(|it| {
        let moment = it
            .is_of_span
            .then(|| (it.day, it.path.clone(), it.start_line));
        (Reverse(it.is_of_span), moment)
    });
}

impl Ranked {
    /// Removes and returns the results about the question within the days that it names, best first; `None` if the
    /// question has a subject that no result holds.
    pub(super) fn take_span(
        &mut self,
        span: DaySpan,
        question: &Question,
        gathered: &Gathered,
    ) -> Option<Vec<Best>> {
        let held = self.held(question, gathered)?;
        let least = HELD_SHARE_MIN * held.iter().copied().fold(0.0, f64::max);
        let day = |best: &Best| self.rows.get(best.row).and_then(|(row, _)| row.day);
        let is_of_span = |(best, held): &(Best, f64)| {
            *held >= least && day(best).is_some_and(|day| span.holds(day))
        };
        let all = self.best.iter().copied().zip(held.iter().copied());
        let (of_span, rest): (Vec<_>, Vec<_>) = all.partition(is_of_span);
        self.best = rest.into_iter().map(|(best, _)| best).collect();
        Some(of_span.into_iter().map(|(best, _)| best).collect())
    }

    /// The share of the question's subject that each result contains; `None` if the question has a subject that no
    /// result holds.
    fn held(&self, question: &Question, gathered: &Gathered) -> Option<Vec<f64>> {
        let is_asked = |word: &AskedWord| {
            let term = gathered.terms.get(word.term).map(|it| &it.term.term.text);
            term.is_some_and(|text| question.subject.contains(text))
        };
        let held_by = |best: &Best| {
            let (row, _) = self.rows.get(best.row)?;
            let passage = row.record.passages.get(best.passage)?;
            let held = gathered.held_by(best.row, &passage.pieces);
            let held = held.into_iter().filter(is_asked);
            Some(held.map(|word| word.idf).sum())
        };
        let held: Vec<f64> = self
            .best
            .iter()
            .map(|it| held_by(it).unwrap_or(0.0))
            .collect();
        let is_known = question.subject.is_empty() || held.iter().any(|it| *it > 0.0);
        is_known.then_some(held)
    }
}

/// Marks and counts the results of the span. Results that only ask are not counted and go last.
pub(super) fn counted_span(
    days: DaySpan,
    results: Vec<SearchResult>,
) -> (Option<SpanCount>, Vec<SearchResult>) {
    let (asking, mut of_span): (Vec<_>, Vec<_>) = results
        .into_iter()
        .partition(|it| base::only_asks(&it.text));
    let span = SpanCount::of(days, &of_span);
    for result in &mut of_span {
        result.is_of_span = true;
        // Each line is counted, so none replaces another.
        result.renews = None;
    }
    ends_first(&mut of_span);
    of_span.extend(asking);
    (span, of_span)
}

#[cfg(test)]
#[path = "span_tests.rs"]
mod tests;
