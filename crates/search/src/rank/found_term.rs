//! A term of the question with its postings.
//!
//! Does not select or score.

use super::query::{QueryTerm, TermRole};
use super::score::idf;
use crate::index::{IndexError, IndexSnapshot, StretchHits, StretchId, TermPostings};
use crate::terms::{Term, TermKind};

/// A term of the question with its postings.
#[derive(Debug)]
pub(crate) struct FoundTerm {
    pub(crate) term: QueryTerm,
    /// Its IDF among pieces.
    pub(crate) idf: f64,
    /// Its IDF among stretches.
    pub(crate) section_idf: f64,
    /// Where it occurs.
    pub(super) postings: TermPostings,
}

/// The terms in a stretch, by term index, each with its hits.
pub(crate) type TermHits = Vec<(usize, StretchHits)>;

impl FoundTerm {
    /// A word that matches in place of another term, weighted by `share`.
    pub(crate) fn instead(
        snapshot: &IndexSnapshot<'_>,
        term: Term,
        (part, share): (TermRole, f64),
    ) -> Result<Self, IndexError> {
        let term = QueryTerm { term, part, share };
        let found = Self::looked_up(snapshot, term)?;
        Ok(Self {
            section_idf: 0.0,
            ..found
        })
    }

    /// Looks up a term.
    pub(crate) fn looked_up(
        snapshot: &IndexSnapshot<'_>,
        term: QueryTerm,
    ) -> Result<Self, IndexError> {
        let (postings, totals) = (snapshot.postings.of_term(&term.term)?, snapshot.totals);
        Ok(Self {
            idf: idf(postings.n_pieces, totals.n_pieces),
            section_idf: idf(postings.n_stretches(), totals.n_stretches),
            term,
            postings,
        })
    }

    /// The number of stretches that it occurs in.
    pub(crate) fn n_stretches(&self) -> u64 {
        self.postings.n_stretches()
    }

    pub(crate) fn is_whole(&self) -> bool {
        self.term.part == TermRole::Whole
    }

    /// The stretches that contain it, in order; `None` if there are more than `n_max`.
    pub(crate) fn stretches(&self, n_segments: usize, n_max: usize) -> Option<Vec<StretchId>> {
        let of_segment = |segment| {
            let docs = self.postings.counts(segment).map(|(doc, _)| doc);
            docs.map(move |doc| StretchId::new(segment, doc))
        };
        let found = (0..n_segments).flat_map(of_segment).take(n_max + 1);
        let found: Vec<StretchId> = found.collect();
        (found.len() <= n_max).then_some(found)
    }

    /// Its hits in each of some stretches, which must be sorted.
    pub(crate) fn places(
        &self,
        snapshot: &IndexSnapshot<'_>,
        stretches: &[StretchId],
    ) -> Result<Vec<StretchHits>, IndexError> {
        snapshot.postings.places(&self.postings, stretches)
    }

    /// Whether it occurs anywhere in the index.
    pub(crate) fn is_found(&self) -> bool {
        self.postings.n_pieces > 0
    }
}

/// The question's words: term index, the word as written, and its IDF.
pub(crate) fn whole_words(terms: &[FoundTerm]) -> impl Iterator<Item = (usize, &str, f64)> {
    let pairs = terms.windows(2).zip(1..);
    pairs.filter_map(|(pair, idx)| {
        let [form, stem] = pair else { return None };
        let is_pair = form.term.part == TermRole::Form
            && stem.is_whole()
            && stem.term.term.kind == TermKind::Stem;
        is_pair.then_some((idx, form.term.term.text.as_str(), stem.idf))
    })
}

/// The terms that are scored; forms are skipped, because the stem occurs wherever its form does.
pub(super) fn scored(terms: &[FoundTerm]) -> impl Iterator<Item = (usize, &FoundTerm)> {
    let terms = terms.iter().enumerate();
    terms.filter(|(_, term)| term.term.part != TermRole::Form)
}

/// The hits of each term in each of some stretches, by term index.
pub(super) fn hits_in<'t>(
    snapshot: &IndexSnapshot<'_>,
    terms: impl Iterator<Item = (usize, &'t FoundTerm)>,
    stretches: &[StretchId],
) -> Result<Vec<TermHits>, IndexError> {
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
