//! The evidence for one piece, by kind, and the thresholds for an answer.
//!
//! Pure.

use super::score::{EvidenceKind, EvidenceWeight, EvidenceWeights, N_KINDS};
use crate::passage_source::Source;

/// The unweighted evidence for a piece.
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent signs, each set by another stage"
)]
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct EvidenceParts {
    values: [f64; N_KINDS],
    /// IDF-weighted share of the question's terms in the piece or around it.
    pub(crate) coverage: f64,
    /// The same share for terms matched only by near words, scaled by their weight.
    pub(super) near_coverage: f64,
    /// Cosine of the piece itself with the question.
    pub(super) cosine: f64,
    /// How well a day named in the piece matches one named in the question.
    pub(super) named_day: f64,
    /// Whether the question names the day of the piece; it is then relevant whatever its text.
    pub(super) is_of_day: bool,
    /// Whether the question calls its note by a name of several words; it is then relevant whatever its text.
    pub(super) is_of_called_note: bool,
    /// Whether it is a standing wish relevant to the request.
    pub(super) is_called_wish: bool,
    /// Its source, and whether it is running text; they select the weight column.
    pub(super) source: Option<Source>,
    pub(super) is_text: bool,
}

/// A piece that covers less of the question than this is irrelevant.
const COVERAGE_MIN: f64 = 0.1;

/// A piece at least this near in meaning may be relevant whatever its words; ranking is left to the score.
const COSINE_MIN: f64 = 0.1;

/// If no piece covers this share of the question, and none reaches the cosine of [`answer_cosine_min`], search reports
/// that nothing is known.
///
/// Measured on two sets of conversations: this rejects at most 0.1% of the questions that have an answer, 3% of their
/// paraphrases, and 8% to 25% of questions that belong to other conversations.
const ANSWER_COVERAGE_MIN: f64 = 0.25;

/// Minimum cosine of an answer if there is only one piece.
///
/// Measured with 1 to 100 notes: with the threshold for many pieces, most paraphrased questions were rejected if there
/// was only one note; at this value, nearly all unrelated questions are still rejected.
const ANSWER_COSINE_OF_ONE: f64 = 0.3;

/// Minimum cosine of an answer if there are [`MANY_PIECES`] or more.
const ANSWER_COSINE_OF_MANY: f64 = 0.35;

/// The threshold stops rising at this many pieces.
const MANY_PIECES: u64 = 100;

/// Minimum cosine that shows that something is known, given the number of pieces.
///
/// The best cosine that occurs by chance grows with the number of pieces; the threshold grows with its logarithm.
pub(crate) fn answer_cosine_min(n_pieces: u64) -> f64 {
    let log = |number: u64| u32::try_from(number).map_or(f64::MAX, f64::from).ln();
    let share = log(n_pieces.clamp(1, MANY_PIECES)) / log(MANY_PIECES);
    ANSWER_COSINE_OF_ONE + share * (ANSWER_COSINE_OF_MANY - ANSWER_COSINE_OF_ONE)
}

impl EvidenceParts {
    pub(super) fn set(&mut self, evidence: EvidenceKind, value: f64) {
        if let Some(part) = self.values.get_mut(evidence as usize) {
            *part = value;
        }
    }

    /// Whether the question calls for it by more than its words.
    fn is_called(&self) -> bool {
        self.is_of_day || self.is_called_wish || self.is_of_called_note
    }

    /// Whether the piece is relevant to the question.
    pub(crate) fn is_relevant(&self) -> bool {
        let is_called = self.is_called();
        is_called || self.coverage >= COVERAGE_MIN || self.cosine >= COSINE_MIN
    }

    /// Whether the piece shows that something is known about the question; `cosine_min` is the least cosine that
    /// counts.
    pub(crate) fn is_answer(&self, cosine_min: f64) -> bool {
        let coverage = self.coverage + self.near_coverage;
        let is_called = self.is_called();
        is_called || coverage >= ANSWER_COVERAGE_MIN || self.cosine >= cosine_min
    }

    pub(crate) fn get(&self, evidence: EvidenceKind) -> f64 {
        self.values.get(evidence as usize).copied().unwrap_or(0.0)
    }

    /// The contribution of one kind of evidence to the score.
    pub(crate) fn weighted(&self, weight: &EvidenceWeight) -> f64 {
        let worth = match self.source {
            Some(Source::Session) => weight.in_sessions,
            Some(Source::Memory) if self.is_text => weight.in_text,
            Some(Source::Memory) | None => weight.in_notes,
        };
        worth * self.get(weight.evidence)
    }

    /// The weighted sum.
    pub(crate) fn total(&self, weights: &EvidenceWeights) -> f64 {
        weights.iter().map(|weight| self.weighted(weight)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answer_cosine_min_grows_with_number_of_pieces() {
        let percent = |n_pieces| (100.0 * answer_cosine_min(n_pieces)).round();
        let found = [0, 1, 2, 5, 10, 20, 100, 1_000_000].map(percent);
        let expected = [30.0, 30.0, 31.0, 32.0, 32.0, 33.0, 35.0, 35.0];
        let differs = |(left, right): (&f64, &f64)| (left - right).abs() > 1e-9;
        assert!(!found.iter().zip(&expected).any(differs), "{found:?}");
    }
}
