//! Selects the stretches for the shortlist by their words.
//!
//! Scores pieces without their lengths; the exact score is computed later, for the shortlist only.

use std::collections::BTreeMap;

use super::bounds::{Bounds, KnownStretch};
use super::found_term::{FoundTerm, TermHits, hits_in, scored};
use super::query::TermRole;
use super::score::{TermPlace, count_in_context, saturated};
use crate::index::{IndexError, IndexSnapshot, StretchHits, StretchId};

/// Minimum size of the shortlist.
const SHORTLIST_MIN: usize = 128;

/// Stretches in the first round of reads; each round doubles.
const ROUND_FIRST: usize = 256;

/// The best stretches within the bounds, by their words.
///
/// Reads positions only of stretches whose upper bound, from term counts, can reach the shortlist.
pub(super) fn best_stretches(
    snapshot: &IndexSnapshot<'_>,
    terms: &[FoundTerm],
    bounds: &Bounds<'_>,
) -> Result<BTreeMap<StretchId, TermHits>, IndexError> {
    let mut left = at_most(terms, snapshot.postings.n_segments());
    if !bounds.allow_all() {
        let facts = snapshot.facts()?;
        let asks_for_days = bounds.ask_for_days();
        left.retain(|AtMost { stretch, .. }| {
            bounds.allow(KnownStretch {
                key: snapshot.postings.key(*stretch),
                source: facts.source(*stretch),
                day: asks_for_days.then(|| facts.day(*stretch)).flatten(),
            })
        });
    }
    let n_max = SHORTLIST_MIN.max(bounds.options.limit.saturating_mul(2));
    let mut best: Vec<Scored> = Vec::new();
    let mut scratch = Scratch::default();
    let mut round = ROUND_FIRST;
    while !left.is_empty() {
        let n_next = round.min(left.len());
        round *= 2;
        if n_next < left.len() {
            left.select_nth_unstable_by(n_next, |left, right| right.score.total_cmp(&left.score));
        }
        let rest = left.split_off(n_next);
        let mut stretches: Vec<StretchId> = left.iter().map(|it| it.stretch).collect();
        stretches.sort_unstable();
        let found = hits_in(snapshot, scored(terms), &stretches)?;
        let stretches = stretches.into_iter().zip(found);
        best.extend(stretches.map(|(stretch, found)| Scored {
            score: scratch.best_piece(terms, &found),
            key: snapshot.postings.key(stretch),
            stretch,
            found,
        }));
        // Keys derive from places, so ties break the same way in every index of the same documents.
        best.sort_unstable_by(|left, right| {
            let by_score = right.score.total_cmp(&left.score);
            by_score.then(left.key.cmp(&right.key))
        });
        best.truncate(n_max);
        left = rest;
        if let Some(worst) = best.get(n_max - 1) {
            left.retain(|it| it.score >= worst.score);
        }
    }
    Ok(best.into_iter().map(|it| (it.stretch, it.found)).collect())
}

/// A stretch with an upper bound on the score of its pieces.
#[derive(Debug, Clone, Copy)]
struct AtMost {
    score: f64,
    stretch: StretchId,
}

/// The stretches that contain a scored term. Upper bound: no piece holds a term more often than the whole stretch does.
fn at_most(terms: &[FoundTerm], n_segments: usize) -> Vec<AtMost> {
    let mut found = Vec::new();
    let mut sums: Vec<f64> = Vec::new();
    for segment in 0..n_segments {
        let last = scored(terms).filter_map(|(_, term)| term.postings.last(segment));
        let n_docs = last.max().map_or(0, |last| last as usize + 1);
        sums.clear();
        sums.resize(n_docs, 0.0);
        for (_, term) in scored(terms) {
            let gains: Vec<f64> = (0..GAINS)
                .map(|count| gain(terms, term, count.into()))
                .collect();
            for (doc, count) in term.postings.counts(segment) {
                let known = gains.get(count as usize).copied();
                if let Some(sum) = sums.get_mut(doc as usize) {
                    *sum += known.unwrap_or_else(|| gain(terms, term, count.into()));
                }
            }
        }
        let sums = sums.iter().zip(0..).filter(|(sum, _)| **sum > 0.0);
        found.extend(sums.map(|(sum, doc)| AtMost {
            score: sum + ROUNDING,
            stretch: StretchId::new(segment, doc),
        }));
    }
    found
}

/// Counts below this have their gain computed once per term instead of once per stretch.
const GAINS: u32 = 64;

/// A stretch with the score of its best piece and its hits.
#[derive(Debug)]
struct Scored {
    score: f64,
    key: i64,
    stretch: StretchId,
    found: TermHits,
}

/// Gain of a term count for the score of a piece; a near word has the IDF of the term it stands for.
fn gain(terms: &[FoundTerm], term: &FoundTerm, count: f64) -> f64 {
    match term.term.part {
        TermRole::Whole | TermRole::Form | TermRole::Date => term.idf * saturated(count, 1.0),
        TermRole::Name => term.section_idf * saturated(count, 1.0),
        TermRole::Near(of) | TermRole::Meant(of) => {
            let idf = terms.get(of).map_or(0.0, |of| of.idf);
            idf * saturated(count * term.term.share, 1.0)
        }
    }
}

/// Slack for rounding: sums in another order may differ in the last bits.
const ROUNDING: f64 = 1e-9;

/// Buffers reused across stretches.
#[derive(Default)]
struct Scratch {
    counts: Vec<f64>,
    scores: Vec<f64>,
}

impl Scratch {
    fn best_piece(&mut self, terms: &[FoundTerm], found: &[(usize, StretchHits)]) -> f64 {
        // Pieces after the last hit score no higher than that piece.
        let places = found.iter().flat_map(|(_, hits)| hits.places());
        let last = places.map(|place| match place {
            TermPlace::Piece(piece) => piece,
            TermPlace::Heading => 0,
        });
        let n_pieces = last.max().map_or(0, |last| last + 1);
        self.scores.clear();
        self.scores.resize(n_pieces, 0.0);
        self.counts.resize(n_pieces, 0.0);
        for (idx, hits) in found {
            let Some(term) = terms.get(*idx) else {
                continue;
            };
            count_in_context(hits.places(), &mut self.counts);
            for (score, count) in self.scores.iter_mut().zip(&self.counts) {
                *score += gain(terms, term, *count);
            }
        }
        self.scores.iter().copied().fold(0.0, f64::max)
    }
}

#[cfg(test)]
#[path = "stretches_tests.rs"]
mod tests;
