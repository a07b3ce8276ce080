//! Finds the stretches that are worth a close look.
//!
//! Pieces are scored here without their lengths; the exact score is made later, for the best alone.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use base::WordVectors;

use super::bounds::{Bounds, Known};
use super::near_words::near_words;
use super::query::{Part, QueryTerm, Question};
use super::score::{Place, count_in_context, idf, saturated};
use crate::index::{IndexError, Snapshot, StretchFacts, StretchHits, TermPostings, place};
use crate::terms::{Term, TermKind};

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

    /// A word that is near to the term of a number, and counts for a share of it.
    pub(crate) fn near(
        snapshot: &Snapshot<'_>,
        term: Term,
        (of, share): (usize, f64),
    ) -> Result<Self, IndexError> {
        let postings = snapshot.postings(&term)?;
        Ok(Self {
            idf: idf(postings.n_pieces, snapshot.totals.n_pieces),
            section_idf: 0.0,
            term: QueryTerm {
                term,
                part: Part::Near(of),
                share,
            },
            postings,
        })
    }

    pub(crate) fn is_whole(&self) -> bool {
        self.term.part == Part::Whole
    }

    /// Whether it stands anywhere at all.
    pub(crate) fn is_found(&self) -> bool {
        self.postings.n_pieces > 0
    }
}

/// The words of the question that are parts of it: the number of the term, the word as it is written, and
/// how much it tells.
pub(crate) fn whole_words(terms: &[FoundTerm]) -> impl Iterator<Item = (usize, &str, f64)> {
    let pairs = terms.windows(2).zip(1..);
    pairs.filter_map(|(pair, idx)| {
        let [form, stem] = pair else { return None };
        let is_pair = form.term.part == Part::Form
            && stem.is_whole()
            && stem.term.term.kind == TermKind::Stem;
        is_pair.then_some((idx, form.term.term.text.as_str(), stem.idf))
    })
}

/// Looks up the terms of a question, and words that are near to them, and chooses the best stretches that
/// the bounds allow, besides those that are near in meaning.
pub(crate) fn gather(
    snapshot: &Snapshot<'_>,
    question: &Question,
    (near, words): (&[i64], Option<&dyn WordVectors>),
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
    if let Some(words) = words {
        let near = near_words(snapshot, words, &terms)?;
        terms.extend(near);
    }
    let near: BTreeSet<i64> = near.iter().copied().collect();
    let mut near_orders: Vec<(i64, u64)> = Vec::new();
    let facts = if bounds.allow_all() {
        None
    } else {
        Some(snapshot.facts()?)
    };
    let mut best = Best::of(SHORTLIST_MIN.max(bounds.options.limit.saturating_mul(2)));
    let mut scratch = Scratch::default();
    each_stretch(&terms, |found| {
        let Some((_, first)) = found.first() else {
            return;
        };
        if near.contains(&first.key) {
            near_orders.push((first.key, first.order));
        }
        if best.may_hold(at_most(&terms, found))
            && facts
                .as_ref()
                .is_none_or(|facts| bounds.allow(known(facts, first, bounds)))
        {
            best.add(Scored {
                score: scratch.best_piece(&terms, found),
                key: first.key,
                order: first.order,
            });
        }
    });
    let mut shortlist: BTreeMap<i64, Vec<(usize, StretchHits)>> =
        near.into_iter().map(|key| (key, Vec::new())).collect();
    let by_words = best
        .stretches
        .into_iter()
        .map(|Reverse(it)| (it.key, it.order));
    for (key, order) in by_words.chain(near_orders) {
        shortlist.insert(key, hits_in(&terms, order));
    }
    Ok(Gathered {
        terms,
        shortlist: shortlist.into_iter().collect(),
    })
}

/// Where each term stands in a stretch, by the indexes of the terms.
fn hits_in(terms: &[FoundTerm], order: u64) -> Vec<(usize, StretchHits)> {
    let mut found = Vec::new();
    for (idx, term) in terms.iter().enumerate() {
        let hits = &term.postings.hits;
        let at = hits.binary_search_by_key(&order, |hits| hits.order);
        found.extend(at.ok().and_then(|at| hits.get(at)).map(|hits| (idx, *hits)));
    }
    found
}

/// A stretch with the score of its best piece.
#[derive(Debug, Clone, Copy)]
struct Scored {
    score: f64,
    key: i64,
    order: u64,
}

impl Ord for Scored {
    /// Keys are places, so that ties end the same way in every index of the same documents.
    fn cmp(&self, other: &Self) -> Ordering {
        let by_score = self.score.total_cmp(&other.score);
        by_score.then_with(|| other.key.cmp(&self.key))
    }
}

impl PartialOrd for Scored {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Scored {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Scored {}

/// The best stretches so far, the worst of them first.
struct Best {
    n_max: usize,
    stretches: BinaryHeap<Reverse<Scored>>,
}

impl Best {
    fn of(n_max: usize) -> Self {
        Self {
            n_max,
            stretches: BinaryHeap::new(),
        }
    }

    /// Whether a stretch of this score would be among them.
    fn may_hold(&self, score: f64) -> bool {
        let worst = self.stretches.peek();
        self.stretches.len() < self.n_max || worst.is_some_and(|Reverse(it)| score >= it.score)
    }

    fn add(&mut self, scored: Scored) {
        self.stretches.push(Reverse(scored));
        if self.stretches.len() > self.n_max {
            self.stretches.pop();
        }
    }
}

/// A score that no piece of a stretch exceeds: no piece holds a term more often than all of them do.
fn at_most(terms: &[FoundTerm], found: &[(usize, &StretchHits)]) -> f64 {
    let most = found.iter().filter_map(|(idx, hits)| {
        let n_times = u32::try_from(hits.n_times()).map_or(f64::MAX, f64::from);
        Some(gain(terms, terms.get(*idx)?, n_times))
    });
    most.sum::<f64>() + ROUNDING
}

/// What a count of a term adds to the score of a piece; a near word tells as much as the word that it is
/// near to, where it counts.
fn gain(terms: &[FoundTerm], term: &FoundTerm, count: f64) -> f64 {
    match term.term.part {
        Part::Whole | Part::Form => term.idf * saturated(count, 1.0),
        Part::Near(of) => {
            let idf = terms.get(of).map_or(0.0, |of| of.idf);
            idf * saturated(count * term.term.share, 1.0)
        }
    }
}

/// Sums in another order may differ in their last bits.
const ROUNDING: f64 = 1e-9;

/// Visits each stretch in which a part of the question stands, with the indexes of those parts.
fn each_stretch<'t>(terms: &'t [FoundTerm], mut visit: impl FnMut(&[(usize, &'t StretchHits)])) {
    // Where the form of a word stands, its stem stands too.
    let mut left: Vec<(usize, &[StretchHits])> = terms
        .iter()
        .enumerate()
        .filter(|(_, term)| term.term.part != Part::Form)
        .map(|(idx, term)| (idx, term.postings.hits.as_slice()))
        .collect();
    let mut found: Vec<(usize, &StretchHits)> = Vec::new();
    loop {
        left.retain(|(_, hits)| !hits.is_empty());
        let orders = left.iter().filter_map(|(_, hits)| hits.first());
        let Some(order) = orders.map(|hits| hits.order).min() else {
            return;
        };
        found.clear();
        for (idx, hits) in &mut left {
            if let Some((first, rest)) = hits.split_first()
                && first.order == order
            {
                found.push((*idx, first));
                *hits = rest;
            }
        }
        visit(&found);
    }
}

/// What the bounds ask about a stretch.
fn known(facts: &StretchFacts, stretch: &StretchHits, bounds: &Bounds<'_>) -> Known {
    let day = if bounds.ask_for_days() {
        facts.day(stretch.order)
    } else {
        None
    };
    Known {
        key: stretch.key,
        source: facts.source(stretch.order),
        day,
    }
}

/// Room for counts, kept from one stretch to the next.
#[derive(Default)]
struct Scratch {
    counts: Vec<f64>,
    scores: Vec<f64>,
}

impl Scratch {
    fn best_piece(&mut self, terms: &[FoundTerm], found: &[(usize, &StretchHits)]) -> f64 {
        // The pieces after the last that holds a term are no better than that one.
        let places = found
            .iter()
            .filter_map(|(idx, hits)| Some(terms.get(*idx)?.places(hits)));
        let last = places.flatten().map(|place| match place {
            Place::Piece(piece) => piece,
            Place::Day | Place::Heading => 0,
        });
        let n_pieces = last.max().map_or(0, |last| last + 1);
        self.scores.clear();
        self.scores.resize(n_pieces, 0.0);
        self.counts.resize(n_pieces, 0.0);
        for (idx, hits) in found {
            let Some(term) = terms.get(*idx) else {
                continue;
            };
            count_in_context(term.places(hits), &mut self.counts);
            for (score, count) in self.scores.iter_mut().zip(&self.counts) {
                *score += gain(terms, term, *count);
            }
        }
        self.scores.iter().copied().fold(0.0, f64::max)
    }
}
