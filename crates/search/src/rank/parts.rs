//! What speaks for one piece, kind by kind, and when that is enough to answer.
//!
//! Pure.

use super::score::{Evidence, N_KINDS, Weight, Weights};
use crate::passage::PassageKind;
use crate::passage_source::Source;

/// How far each kind of evidence speaks for a piece, weights not applied.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Parts {
    values: [f64; N_KINDS],
    /// Share of what the question asks that stands in the piece or around it.
    pub(crate) coverage: f64,
    /// The same for what stands there in near words alone, by how much those count.
    pub(super) near_coverage: f64,
    /// How near the piece itself is in meaning.
    pub(super) cosine: f64,
    /// How well a day that the piece names meets one that the question names.
    pub(super) named_day: f64,
    /// Whether the question names the day of the piece, so that it is about that day whatever it says.
    pub(super) is_of_day: bool,
    /// Whether it is a standing wish that concerns the request.
    pub(super) is_called_wish: bool,
    /// What it is a piece of, by which evidence is worth more or less.
    pub(super) kind: Option<(Source, PassageKind)>,
}

/// A piece in which less than this share of the question is found is not about it.
const COVERAGE_MIN: f64 = 0.1;

/// A piece that is this near in meaning may be about the question, whatever its words; how near is left
/// to its score.
const COSINE_MIN: f64 = 0.1;

/// An answer in which no piece holds this share of the question, and none is as near in meaning as
/// [`answer_cosine_min`] asks for, answers nothing.
///
/// Measured on two sets of conversations: of the questions that have an answer at most one in a thousand
/// is then told that nothing is known, and of the same questions in other words three in a hundred; of those
/// that belong to other conversations a twelfth to a quarter.
const ANSWER_COVERAGE_MIN: f64 = 0.25;

/// How near in meaning a piece must be that is the only one.
///
/// Measured with bodies of 1 to 100 notes: of questions in other words, most were told that nothing is known
/// where one note had to be as near as one of many; of questions about something else, nearly all still are.
const ANSWER_COSINE_OF_ONE: f64 = 0.3;

/// The same where there are [`MANY_PIECES`] or more.
const ANSWER_COSINE_OF_MANY: f64 = 0.35;

/// Of so many pieces some are always near.
const MANY_PIECES: u64 = 100;

/// How near in meaning a piece must be to show that something is known, among so many.
///
/// The more there are, the nearer is the nearest by chance: by as much again each time that they double.
pub(crate) fn answer_cosine_min(n_pieces: u64) -> f64 {
    let log = |number: u64| u32::try_from(number).map_or(f64::MAX, f64::from).ln();
    let share = log(n_pieces.clamp(1, MANY_PIECES)) / log(MANY_PIECES);
    ANSWER_COSINE_OF_ONE + share * (ANSWER_COSINE_OF_MANY - ANSWER_COSINE_OF_ONE)
}

impl Parts {
    pub(super) fn set(&mut self, evidence: Evidence, value: f64) {
        if let Some(part) = self.values.get_mut(evidence as usize) {
            *part = value;
        }
    }

    /// Whether the piece is about the question.
    pub(crate) fn is_relevant(&self) -> bool {
        let is_called = self.is_of_day || self.is_called_wish;
        is_called || self.coverage >= COVERAGE_MIN || self.cosine >= COSINE_MIN
    }

    /// Whether the piece, as near as `cosine_min` or not, shows that something is known about the question.
    pub(crate) fn is_answer(&self, cosine_min: f64) -> bool {
        let coverage = self.coverage + self.near_coverage;
        let is_called = self.is_of_day || self.is_called_wish;
        is_called || coverage >= ANSWER_COVERAGE_MIN || self.cosine >= cosine_min
    }

    pub(crate) fn get(&self, evidence: Evidence) -> f64 {
        self.values.get(evidence as usize).copied().unwrap_or(0.0)
    }

    /// What a kind of evidence adds to the score.
    pub(crate) fn weighted(&self, weight: &Weight) -> f64 {
        let worth = match self.kind {
            Some((Source::Session, _)) => weight.in_sessions,
            Some((Source::Memory, PassageKind::Paragraph)) => weight.in_text,
            Some((Source::Memory, _)) | None => weight.in_notes,
        };
        worth * self.get(weight.evidence)
    }

    /// The score.
    pub(crate) fn total(&self, weights: &Weights) -> f64 {
        weights.iter().map(|weight| self.weighted(weight)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn among_more_pieces_one_must_be_nearer_to_answer() {
        let percent = |n_pieces| (100.0 * answer_cosine_min(n_pieces)).round();
        let found = [0, 1, 2, 5, 10, 20, 100, 1_000_000].map(percent);
        let expected = [30.0, 30.0, 31.0, 32.0, 32.0, 33.0, 35.0, 35.0];
        let differs = |(left, right): (&f64, &f64)| (left - right).abs() > 1e-9;
        assert!(!found.iter().zip(&expected).any(differs), "{found:?}");
    }
}
