//! Finds the stretches that are worth a close look.
//!
//! Pieces are scored here without their lengths; the exact score is made later, for the best alone.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use base::WordVectors;
use base::model::Spelling;

use super::bounds::{Bounds, Known};
use super::meaning::Meaning;
use super::model::NothingFound;
use super::near_words::near_words;
use super::query::{Part, QueryTerm, Question};
use super::score::{Place, count_in_context, idf, saturated};
use super::slips::slips;
use crate::index::{IndexError, Snapshot, StretchFacts, StretchHits, StretchId, TermPostings};
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

/// The terms that stand in a stretch, by their indexes, each with where it does.
pub(crate) type Standing = Vec<(usize, StretchHits)>;

/// What was found of a question.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    pub(crate) terms: Vec<FoundTerm>,
    /// What was taken for words that stand nowhere.
    pub(crate) spellings: Vec<Spelling>,
    /// Keys of stretches, each with the terms that stand in it, by their indexes.
    pub(crate) shortlist: Vec<(i64, Standing)>,
}

impl Gathered {
    /// Why nothing of it answers.
    pub(crate) fn why_nothing(&self) -> NothingFound {
        if self.shortlist.iter().any(|(_, found)| !found.is_empty()) {
            NothingFound::NothingRelevant
        } else {
            NothingFound::NoMatch
        }
    }

    /// What was looked for, and words that are near to it, as the index holds them.
    pub(crate) fn stems(&self) -> BTreeSet<String> {
        let looked_for = self.terms.iter().map(|found| &found.term);
        let looked_for = looked_for.filter(|term| term.part != Part::Form);
        looked_for.map(|term| term.term.text.clone()).collect()
    }
}

impl FoundTerm {
    /// A word that speaks for another term, and counts for a share of it.
    pub(crate) fn instead(
        snapshot: &Snapshot<'_>,
        term: Term,
        (part, share): (Part, f64),
    ) -> Result<Self, IndexError> {
        let postings = snapshot.postings.of_term(&term)?;
        Ok(Self {
            idf: idf(postings.n_pieces, snapshot.totals.n_pieces),
            section_idf: 0.0,
            term: QueryTerm { term, part, share },
            postings,
        })
    }

    pub(crate) fn is_whole(&self) -> bool {
        self.term.part == Part::Whole
    }

    /// The stretches that it stands in, in order; `None` where there are more than so many.
    pub(crate) fn stretches(&self, n_segments: usize, n_max: usize) -> Option<Vec<StretchId>> {
        let of_segment = |segment| {
            let docs = self.postings.counts(segment).map(|(doc, _)| doc);
            docs.map(move |doc| StretchId::new(segment, doc))
        };
        let found = (0..n_segments).flat_map(of_segment).take(n_max + 1);
        let found: Vec<StretchId> = found.collect();
        (found.len() <= n_max).then_some(found)
    }

    /// Where it stands in each of some stretches, which are given in order.
    pub(crate) fn places(
        &self,
        snapshot: &Snapshot<'_>,
        stretches: &[StretchId],
    ) -> Result<Vec<StretchHits>, IndexError> {
        snapshot.postings.places(&self.postings, stretches)
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
/// the bounds allow, by words and by meaning.
pub(crate) fn gather(
    snapshot: &Snapshot<'_>,
    question: &Question,
    meaning: Option<&Meaning>,
    bounds: &Bounds<'_>,
) -> Result<Gathered, IndexError> {
    let words = || by_words(snapshot, question, meaning.and_then(Meaning::words), bounds);
    let Some(meaning) = meaning else {
        return with_near(snapshot, words()?, &[]);
    };
    let sight = meaning.sight(snapshot, bounds)?;
    if !sight.is_long() {
        return with_near(snapshot, words()?, &sight.nearest()?);
    }
    // Neither waits for the other where there are two processors.
    let (near, words) = std::thread::scope(|scope| {
        let near = scope.spawn(|| sight.nearest());
        let words = words();
        (near.join(), words)
    });
    let near = near.map_err(|_| IndexError::Damaged {
        what: "its vectors cannot be looked through".into(),
    })?;
    with_near(snapshot, words?, &near?)
}

/// What the words of a question find.
struct ByWords {
    terms: Vec<FoundTerm>,
    spellings: Vec<Spelling>,
    /// The best stretches, each with where those terms stand that are scored.
    read: BTreeMap<StretchId, Standing>,
}

/// The terms of a question, and the best stretches by them.
fn by_words(
    snapshot: &Snapshot<'_>,
    question: &Question,
    words: Option<&dyn WordVectors>,
    bounds: &Bounds<'_>,
) -> Result<ByWords, IndexError> {
    let totals = snapshot.totals;
    let mut terms = Vec::with_capacity(question.terms.len());
    for term in &question.terms {
        let postings = snapshot.postings.of_term(&term.term)?;
        terms.push(FoundTerm {
            term: term.clone(),
            idf: term.share * idf(postings.n_pieces, totals.n_pieces),
            section_idf: term.share * idf(postings.n_stretches(), totals.n_stretches),
            postings,
        });
    }
    let (mut near, spellings) = slips(snapshot, words, &terms)?;
    if let Some(words) = words {
        near.extend(near_words(snapshot, words, &terms, &spellings)?);
    }
    terms.extend(near);
    let read = best_stretches(snapshot, &terms, bounds)?;
    Ok(ByWords {
        terms,
        spellings,
        read,
    })
}

/// Stretches by words and stretches that are near in meaning, with what stands in each.
fn with_near(
    snapshot: &Snapshot<'_>,
    words: ByWords,
    near: &[i64],
) -> Result<Gathered, IndexError> {
    let ByWords {
        terms,
        spellings,
        mut read,
    } = words;
    let mut shortlist: BTreeMap<i64, Standing> = BTreeMap::new();
    let mut unread = Vec::new();
    for key in near {
        shortlist.insert(*key, Vec::new());
        let stretch = snapshot.postings.find(*key)?;
        unread.extend(stretch.filter(|it| !read.contains_key(it)));
    }
    unread.sort_unstable();
    unread.dedup();
    let found = hits_in(snapshot, scored(&terms), &unread)?;
    read.extend(unread.into_iter().zip(found));
    let stretches: Vec<StretchId> = read.keys().copied().collect();
    let forms = hits_in(snapshot, forms(&terms), &stretches)?;
    for ((stretch, mut found), forms) in read.into_iter().zip(forms) {
        found.extend(forms);
        found.sort_unstable_by_key(|(idx, _)| *idx);
        shortlist.insert(snapshot.postings.key(stretch), found);
    }
    Ok(Gathered {
        terms,
        spellings,
        shortlist: shortlist.into_iter().collect(),
    })
}

/// Stretches whose places are read together first; each time after it is twice as many.
const ROUND_FIRST: usize = 256;

/// The best stretches by the words in them that the bounds allow.
///
/// Places are read only where a stretch may be among the best, judged by how often each term stands in it.
fn best_stretches(
    snapshot: &Snapshot<'_>,
    terms: &[FoundTerm],
    bounds: &Bounds<'_>,
) -> Result<BTreeMap<StretchId, Standing>, IndexError> {
    let mut left = at_most(terms, snapshot.postings.n_segments());
    if !bounds.allow_all() {
        let facts = snapshot.facts()?;
        left.retain(|it| bounds.allow(known(snapshot, &facts, it.stretch, bounds)));
    }
    let mut best = Best::of(SHORTLIST_MIN.max(bounds.options.limit.saturating_mul(2)));
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
        for (stretch, found) in stretches.into_iter().zip(found) {
            best.add(Scored {
                score: scratch.best_piece(terms, &found),
                key: snapshot.postings.key(stretch),
                stretch,
                found,
            });
        }
        left = rest;
        left.retain(|it| best.may_hold(it.score));
    }
    let best = best.stretches.into_iter();
    Ok(best.map(|Reverse(it)| (it.stretch, it.found)).collect())
}

/// The terms by which stretches are scored: where the form of a word stands, its stem stands too.
fn scored(terms: &[FoundTerm]) -> impl Iterator<Item = (usize, &FoundTerm)> {
    let terms = terms.iter().enumerate();
    terms.filter(|(_, term)| term.term.part != Part::Form)
}

/// The terms that say which form of a word stands there.
fn forms(terms: &[FoundTerm]) -> impl Iterator<Item = (usize, &FoundTerm)> {
    let terms = terms.iter().enumerate();
    terms.filter(|(_, term)| term.term.part == Part::Form)
}

/// Which terms stand where in each of some stretches, by the indexes of the terms.
fn hits_in<'t>(
    snapshot: &Snapshot<'_>,
    terms: impl Iterator<Item = (usize, &'t FoundTerm)>,
    stretches: &[StretchId],
) -> Result<Vec<Standing>, IndexError> {
    let mut found = vec![Vec::new(); stretches.len()];
    for (idx, term) in terms {
        let places = snapshot.postings.places(&term.postings, stretches)?;
        for (found, hits) in found.iter_mut().zip(places) {
            if !hits.is_empty() {
                found.push((idx, hits));
            }
        }
    }
    Ok(found)
}

/// A stretch with a score that no piece of it exceeds.
#[derive(Debug, Clone, Copy)]
struct AtMost {
    score: f64,
    stretch: StretchId,
}

/// The stretches in which a part of the question stands: no piece of one holds a term more often than all
/// of them do.
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

/// So many counts of a term are scored once and not for each stretch.
const GAINS: u32 = 64;

/// A stretch with the score of its best piece.
#[derive(Debug)]
struct Scored {
    score: f64,
    key: i64,
    stretch: StretchId,
    found: Standing,
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

/// What a count of a term adds to the score of a piece; a near word tells as much as the word that it is
/// near to, where it counts.
fn gain(terms: &[FoundTerm], term: &FoundTerm, count: f64) -> f64 {
    match term.term.part {
        Part::Whole | Part::Form => term.idf * saturated(count, 1.0),
        Part::Near(of) | Part::Meant(of) => {
            let idf = terms.get(of).map_or(0.0, |of| of.idf);
            idf * saturated(count * term.term.share, 1.0)
        }
    }
}

/// Sums in another order may differ in their last bits.
const ROUNDING: f64 = 1e-9;

/// What the bounds ask about a stretch.
fn known(
    snapshot: &Snapshot<'_>,
    facts: &StretchFacts,
    stretch: StretchId,
    bounds: &Bounds<'_>,
) -> Known {
    let day = if bounds.ask_for_days() {
        facts.day(stretch)
    } else {
        None
    };
    Known {
        key: snapshot.postings.key(stretch),
        source: facts.source(stretch),
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
    fn best_piece(&mut self, terms: &[FoundTerm], found: &[(usize, StretchHits)]) -> f64 {
        // The pieces after the last that holds a term are no better than that one.
        let places = found.iter().flat_map(|(_, hits)| hits.places());
        let last = places.map(|place| match place {
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
            count_in_context(hits.places(), &mut self.counts);
            for (score, count) in self.scores.iter_mut().zip(&self.counts) {
                *score += gain(terms, term, *count);
            }
        }
        self.scores.iter().copied().fold(0.0, f64::max)
    }
}

#[cfg(test)]
#[path = "gather_tests.rs"]
mod tests;
