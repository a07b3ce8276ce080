//! Gathers what stands where, for the stretches that are worth a close look.
//!
//! Scores nothing: `stretches` chooses by words, the vectors by meaning.

use std::collections::{BTreeMap, BTreeSet};

use base::WordVectors;
use base::model::Spelling;

use super::bounds::Bounds;
use super::found_term::{FoundTerm, Standing, hits_in, scored};
use super::meaning::Meaning;
use super::model::NothingFound;
use super::near_words::near_words;
use super::query::{Part, Question};
use super::score::idf;
use super::slips::slips;
use super::stretches::best_stretches;
use crate::index::{IndexError, Snapshot, StretchId};

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

/// Looks up the terms of a question, and words that are near to them, and chooses the best stretches that
/// the bounds allow, by words and by meaning.
pub(crate) fn gather(
    snapshot: &Snapshot<'_>,
    question: &Question,
    (meaning, words): (Option<&Meaning>, Option<&dyn WordVectors>),
    bounds: &Bounds<'_>,
) -> Result<Gathered, IndexError> {
    let words = || by_words(snapshot, question, words, bounds);
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
    let near =
        near.map_err(|_| IndexError::Damaged("its vectors cannot be looked through".into()))?;
    with_near(snapshot, words?, &near?)
}

/// What the words of a question find.
struct ByWords {
    terms: Vec<FoundTerm>,
    spellings: Vec<Spelling>,
    /// The best stretches, each with where those terms stand that are scored.
    read: BTreeMap<StretchId, Standing>,
}

/// What tells less than this share of what the most telling term does that stands somewhere is not looked for.
const TELLING_MIN: f64 = 0.2;

/// Leaves out words that stand everywhere, here and elsewhere: to read where they stand takes long and tells nothing.
fn leave_out_common(terms: &mut Vec<FoundTerm>) {
    // A form stands in fewer places than its stem.
    let found = terms
        .iter()
        .filter(|term| term.is_found() && term.is_whole());
    let least = TELLING_MIN * found.map(|term| term.idf).fold(0.0, f64::max);
    let stems = terms.iter().skip(1).chain(terms.last());
    // The form of a word goes with its stem, which stands behind it.
    let tells = |(term, next): (&FoundTerm, &FoundTerm)| match term.term.part {
        Part::Form => next.idf >= least,
        Part::Whole | Part::Near(_) | Part::Meant(_) => term.idf >= least,
    };
    let mut kept: Vec<bool> = terms.iter().zip(stems).map(tells).collect();
    kept.reverse();
    terms.retain(|_| kept.pop().unwrap_or(false));
}

/// The terms of a question, and the best stretches by them.
fn by_words(
    snapshot: &Snapshot<'_>,
    question: &Question,
    words: Option<&dyn WordVectors>,
    bounds: &Bounds<'_>,
) -> Result<ByWords, IndexError> {
    let totals = snapshot.totals;
    let mut terms: Vec<FoundTerm> = Vec::with_capacity(question.terms.len());
    for term in &question.terms {
        let postings = snapshot.postings.of_term(&term.term)?;
        terms.push(FoundTerm {
            term: term.clone(),
            idf: idf(postings.n_pieces, totals.n_pieces),
            section_idf: idf(postings.n_stretches(), totals.n_stretches),
            postings,
        });
    }
    leave_out_common(&mut terms);
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
    for (stretch, found) in read {
        shortlist.insert(snapshot.postings.key(stretch), found);
    }
    Ok(Gathered {
        terms,
        spellings,
        shortlist: shortlist.into_iter().collect(),
    })
}
