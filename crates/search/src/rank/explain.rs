//! Explains a score.
//!
//! Does not compute scores: it reports the numbers that were added.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::bearing::{INPUTS, N_INPUTS};
use super::found_term::FoundTerm;
use super::parts::EvidenceParts;
use super::score::{EvidenceKind, EvidenceWeights, count_in_context};
use super::wire;
use crate::index::StretchHits;

/// The explanation of a score.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Explanation {
    /// The contribution of each kind of evidence, zeros left out. They sum to the score.
    #[serde(serialize_with = "wire::parts")]
    #[schemars(with = "BTreeMap<String, f64>")]
    pub parts: Vec<(EvidenceKind, f64)>,
    /// The terms found in the passage or around it.
    pub terms: Vec<TermShare>,
    /// The numbers that the likelihood was computed from.
    #[serde(serialize_with = "wire::numbers")]
    #[schemars(with = "BTreeMap<String, f64>")]
    pub bearing: Vec<(&'static str, f64)>,
    /// The likelihood that the passage bears on the question, from 0 to 1; comparable between answers.
    pub likelihood: f64,
}

/// A matched term.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TermShare {
    /// The term: a stem, a form or an identifier.
    pub term: String,
    /// Its inverse document frequency.
    pub idf: f64,
    /// Its count in the passage; occurrences in neighbours and headings count as fractions.
    pub count: f64,
}

// The names in text and JSON output.
base::words! {
    EvidenceKind: Words = "words", Literal = "literal", Meaning = "meaning", Likeness = "likeness",
    Section = "section", Who = "who", Answer = "answer", Asks = "asks", Whole = "whole",
    Opening = "opening", Day = "day", Room = "room"
}

/// Explains the score of a piece.
pub(crate) fn explain(
    (parts, weights): (&EvidenceParts, &EvidenceWeights),
    terms: &[FoundTerm],
    found: &[(usize, StretchHits)],
    piece_idx: usize,
    (bearing, likelihood): ([f64; N_INPUTS], f64),
) -> Explanation {
    let added = weights
        .iter()
        .map(|weight| (weight.evidence, parts.weighted(weight)));
    let mut shares = Vec::new();
    for (idx, hits) in found {
        let Some(term) = terms.get(*idx).filter(|term| term.is_whole()) else {
            continue;
        };
        let mut counts = vec![0.0; piece_idx + 1];
        count_in_context(hits.places(), &mut counts);
        let count = counts.get(piece_idx).copied().unwrap_or(0.0);
        if count > 0.0 {
            shares.push(TermShare {
                term: term.term.term.text.clone(),
                idf: term.idf,
                count,
            });
        }
    }
    Explanation {
        parts: added.filter(|(_, value)| *value != 0.0).collect(),
        terms: shares,
        bearing: INPUTS.into_iter().zip(bearing).collect(),
        likelihood,
    }
}
