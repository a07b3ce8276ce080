//! Finds the stretches that are worth a close look.
//!
//! Pieces are scored here without their lengths; the exact score is made later, for the best alone.

use std::collections::{BTreeMap, BTreeSet};

use super::bounds::{Bounds, Known};
use super::query::{Part, QueryTerm, Question};
use super::score::{Place, count_in_context, idf, saturated};
use crate::index::{IndexError, Snapshot, StretchHits, TermPostings, place};

/// Fewest stretches that are looked at closely.
const SHORTLIST_MIN: usize = 128;

/// A term of the question with what the index says of it.
#[derive(Debug)]
pub(crate) struct FoundTerm {
    pub(crate) term: QueryTerm,
    /// How much it tells among pieces.
    pub(crate) idf: f64,
    /// How much it tells among sections.
    pub(crate) section_idf: f64,
    postings: TermPostings,
}

/// What was found of a question.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    pub(crate) terms: Vec<FoundTerm>,
    /// Keys of stretches, each with the terms that stand in it, by their indexes.
    pub(crate) shortlist: Vec<(i64, Vec<(usize, StretchHits)>)>,
}

impl FoundTerm {
    /// Where the term stands in a stretch.
    pub(crate) fn places<'t>(
        &'t self,
        hits: &StretchHits,
    ) -> impl Iterator<Item = Place> + use<'t> {
        self.postings
            .places(hits)
            .iter()
            .map(|position| place(*position))
    }

    pub(crate) fn is_whole(&self) -> bool {
        self.term.part == Part::Whole
    }

    /// Whether it stands anywhere at all.
    pub(crate) fn is_found(&self) -> bool {
        self.postings.n_pieces > 0
    }
}

/// Looks up the terms of a question and chooses the best stretches that the bounds allow, besides
/// those that are near in meaning.
pub(crate) fn gather(
    snapshot: &Snapshot<'_>,
    question: &Question,
    near: &[i64],
    bounds: &Bounds<'_>,
) -> Result<Gathered, IndexError> {
    let totals = snapshot.totals;
    let mut terms = Vec::with_capacity(question.terms.len());
    for term in &question.terms {
        let postings = snapshot.postings(&term.term)?;
        terms.push(FoundTerm {
            term: term.clone(),
            idf: term.share * idf(postings.n_pieces, totals.n_pieces),
            section_idf: term.share * idf(postings.hits.len() as u64, totals.n_stretches),
            postings,
        });
    }
    let mut best: Vec<(f64, i64)> = Vec::new();
    let mut scratch = Scratch::default();
    each_stretch(&terms, |found| {
        let Some((_, first)) = found.first() else {
            return;
        };
        let known = Known {
            key: first.key,
            source: first.source(),
            day: first.day,
        };
        if bounds.allow(known) {
            best.push((scratch.best_piece(&terms, found, first.n_pieces), first.key));
        }
    });
    // Keys are places, so that ties end the same way in every index of the same documents.
    best.sort_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)));
    best.truncate(SHORTLIST_MIN.max(bounds.options.limit.saturating_mul(2)));
    let by_words = best.iter().map(|(_, key)| *key);
    let chosen: BTreeSet<i64> = by_words.chain(near.iter().copied()).collect();
    let mut found_in: BTreeMap<i64, Vec<(usize, StretchHits)>> =
        near.iter().map(|key| (*key, Vec::new())).collect();
    each_stretch(&terms, |found| {
        if let Some((_, first)) = found
            .first()
            .filter(|(_, first)| chosen.contains(&first.key))
        {
            found_in.insert(
                first.key,
                found.iter().map(|(idx, hits)| (*idx, **hits)).collect(),
            );
        }
    });
    Ok(Gathered {
        terms,
        shortlist: found_in.into_iter().collect(),
    })
}

/// Visits each stretch in which a term stands, with the indexes of the terms.
fn each_stretch<'t>(terms: &'t [FoundTerm], mut visit: impl FnMut(&[(usize, &'t StretchHits)])) {
    let mut next = vec![0_usize; terms.len()];
    let mut found: Vec<(usize, &StretchHits)> = Vec::new();
    loop {
        found.clear();
        let mut order = u64::MAX;
        for (idx, (term, at)) in terms.iter().zip(&next).enumerate() {
            let Some(hits) = term.postings.hits.get(*at) else {
                continue;
            };
            if hits.order < order {
                order = hits.order;
                found.clear();
            }
            if hits.order == order {
                found.push((idx, hits));
            }
        }
        if found.is_empty() {
            return;
        }
        for (idx, _) in &found {
            if let Some(at) = next.get_mut(*idx) {
                *at += 1;
            }
        }
        visit(&found);
    }
}

/// Room for counts, kept from one stretch to the next.
#[derive(Default)]
struct Scratch {
    counts: Vec<f64>,
    scores: Vec<f64>,
}

impl Scratch {
    fn best_piece(
        &mut self,
        terms: &[FoundTerm],
        found: &[(usize, &StretchHits)],
        n_pieces: usize,
    ) -> f64 {
        self.scores.clear();
        self.scores.resize(n_pieces, 0.0);
        self.counts.resize(n_pieces, 0.0);
        for (idx, hits) in found {
            let Some(term) = terms.get(*idx).filter(|term| term.is_whole()) else {
                continue;
            };
            count_in_context(term.places(hits), &mut self.counts);
            for (score, count) in self.scores.iter_mut().zip(&self.counts) {
                *score += term.idf * saturated(*count, 1.0);
            }
        }
        self.scores.iter().copied().fold(0.0, f64::max)
    }
}
