//! How likely a passage bears on a question: a logistic model over a few numbers of the ranking.
//!
//! Pure. `bearing.py` fits the weights to questions whose answers are known.

use std::ops::Range;

use super::gather::Gathered;
use super::parts::EvidenceParts;
use super::score::real;

/// The number of inputs.
pub(crate) const N_INPUTS: usize = 8;

/// The inputs of the model, in the order of the weights.
pub(crate) const INPUTS: [&str; N_INPUTS] = [
    "held", "rarest", "cosine", "nearer", "lead", "asks", "wish", "question",
];

/// Weights of the inputs, and the log-odds where all are 0: with vectors, and with words alone.
struct BearingWeights {
    inputs: [f64; N_INPUTS],
    constant: f64,
}

const BY_MEANING: BearingWeights = BearingWeights {
    inputs: [1.172, 0.688, 1.003, 3.387, 2.361, -1.208, 1.925, 2.978],
    constant: -7.518,
};

const BY_WORDS: BearingWeights = BearingWeights {
    inputs: [1.345, 0.883, 0.0, 0.0, 3.217, -1.094, 2.165, 3.25],
    constant: -7.575,
};

/// How many of the best results make up the field that each is compared with. Missing ones count as 0, so the only
/// passage of a small home is compared with 0.
const FIELD: usize = 20;

/// What the results of one question have in common.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Field {
    score: f64,
    cosine: f64,
    idf_of_all: f64,
    idf_of_rarest: f64,
    asks: bool,
    has_vectors: bool,
}

impl Field {
    /// The field of a question from the scores and cosines of its results, best first.
    pub(crate) fn of(
        results: impl Iterator<Item = (f64, f64)>,
        gathered: &Gathered,
        (asks, has_vectors): (bool, bool),
    ) -> Self {
        let first: Vec<(f64, f64)> = results.take(FIELD).collect();
        let n = real(FIELD as u64);
        let whole = || gathered.terms.iter().filter(|it| it.is_whole());
        let found = whole().filter(|it| it.is_found());
        Self {
            score: first.iter().map(|(score, _)| score).sum::<f64>() / n,
            cosine: first.iter().map(|(_, cosine)| cosine).sum::<f64>() / n,
            idf_of_all: whole().map(|it| it.idf).sum(),
            idf_of_rarest: found.map(|it| it.idf).fold(0.0, f64::max),
            asks,
            has_vectors,
        }
    }

    /// The inputs for a passage: these pieces of a shortlisted row, of which `parts` is the best, with its score.
    pub(crate) fn inputs(
        &self,
        gathered: &Gathered,
        (row, pieces): (usize, &Range<usize>),
        (parts, score, asks): (&EvidenceParts, f64, bool),
    ) -> [f64; N_INPUTS] {
        let held = gathered.held_under_name(row, pieces);
        let sum: f64 = held.iter().map(|it| it.idf).sum();
        let most = held.iter().map(|it| it.idf).fold(0.0, f64::max);
        [
            share(sum, self.idf_of_all),
            share(most, self.idf_of_rarest),
            parts.cosine,
            parts.cosine - self.cosine,
            score - self.score,
            f64::from(asks),
            f64::from(parts.is_called_wish),
            f64::from(self.asks),
        ]
    }

    /// The likelihood for these inputs, from 0 to 1.
    pub(crate) fn likelihood(&self, inputs: &[f64; N_INPUTS]) -> f64 {
        let weights = if self.has_vectors {
            BY_MEANING
        } else {
            BY_WORDS
        };
        let parts = weights.inputs.iter().zip(inputs);
        let sum: f64 = parts.map(|(weight, input)| weight * input).sum();
        1.0 / (1.0 + (-(sum + weights.constant)).exp())
    }
}

fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likelihood_rises_with_evidence_and_falls_for_question() {
        for has_vectors in [false, true] {
            let field = Field {
                has_vectors,
                ..Field::default()
            };
            let usual = [0.5, 0.5, 0.3, 0.1, 0.3, 0.0, 0.0, 1.0];
            let mut better = usual;
            (better[0], better[3], better[4]) = (1.0, 0.3, 0.9);
            let mut asking = usual;
            asking[5] = 1.0;
            let [usual, better, asking] =
                [usual, better, asking].map(|inputs| field.likelihood(&inputs));
            assert!(
                asking < usual && usual < better,
                "{asking} {usual} {better}"
            );
            assert!(0.0 < asking && better < 1.0);
        }
    }
}
