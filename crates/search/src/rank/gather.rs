//! Gathers what stands where, for the stretches that are worth a close look.
//!
//! Scores nothing: `stretches` chooses by words, the vectors by meaning.

use std::collections::BTreeMap;
use std::ops::Range;

use base::WordVectors;
use base::model::Spelling;

use super::bounds::{Bounds, Known};
use super::found_term::{FoundTerm, Standing, hits_in, scored};
use super::meaning::Meaning;
use super::model::NothingFound;
use super::near_words::near_words;
use super::query::{Part, Question};
use super::score::{Place, idf};
use super::slips::slips;
use super::stretches::best_stretches;
use super::wishes::near_wishes;
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

    /// The words of the question that stand in some pieces of a stretch of the shortlist, by their numbers, each with
    /// how much it tells.
    pub(crate) fn held_by(&self, row: usize, pieces: &Range<usize>) -> Vec<(usize, f64)> {
        let standing = self.shortlist.get(row).map(|(_, standing)| standing);
        let held = standing.into_iter().flatten().filter_map(|(idx, hits)| {
            let term = self.terms.get(*idx).filter(|term| term.is_whole())?;
            let is_within = |place| matches!(place, Place::Piece(piece) if pieces.contains(&piece));
            hits.places().any(is_within).then_some((*idx, term.idf))
        });
        held.collect()
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
    let words = || -> Result<ByWords, IndexError> {
        let mut found = by_words(snapshot, question, words, bounds)?;
        add_of_days(snapshot, question, bounds, &mut found)?;
        Ok(found)
    };
    let Some(meaning) = meaning else {
        return with_near(snapshot, words()?, &[]);
    };
    let called = if question.asks_for_advice {
        near_wishes(snapshot, meaning, bounds)?
    } else {
        Vec::new()
    };
    let sight = meaning.sight(snapshot, bounds)?;
    if !sight.is_long() {
        let near = [sight.nearest()?, called].concat();
        return with_near(snapshot, words()?, &near);
    }
    // Neither waits for the other where there are two processors.
    let (near, words) = std::thread::scope(|scope| {
        let near = scope.spawn(|| sight.nearest());
        let words = words();
        (near.join(), words)
    });
    let near =
        near.map_err(|_| IndexError::Damaged("its vectors cannot be looked through".into()))?;
    with_near(snapshot, words?, &[near?, called].concat())
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
        Part::Date => true,
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

/// So many stretches of the days that a question names are looked at closely.
const OF_DAYS_MAX: usize = 512;

/// Adds the best stretches of the days that the question names: all of them where they are few.
fn add_of_days(
    snapshot: &Snapshot<'_>,
    question: &Question,
    bounds: &Bounds<'_>,
    found: &mut ByWords,
) -> Result<(), IndexError> {
    if question.days.is_empty() {
        return Ok(());
    }
    let facts = snapshot.facts()?;
    let mut of_days: Vec<StretchId> = Vec::new();
    for (stretch, day) in facts.within(&question.days) {
        let known = Known {
            key: snapshot.postings.key(stretch),
            source: facts.source(stretch),
            day: Some(day),
        };
        let is_new = !found.read.contains_key(&stretch) && snapshot.postings.is_there(stretch);
        if is_new && bounds.allow(known) {
            of_days.push(stretch);
        }
    }
    let hits = hits_in(snapshot, scored(&found.terms), &of_days)?;
    let mut read: Vec<(StretchId, Standing)> = of_days.into_iter().zip(hits).collect();
    if read.len() > OF_DAYS_MAX {
        read.retain(|(_, standing)| !standing.is_empty());
        // What holds most of the question's words, and of those the earliest written.
        read.sort_by_key(|(_, standing)| std::cmp::Reverse(standing.len()));
        read.truncate(OF_DAYS_MAX);
    }
    found.read.extend(read);
    Ok(())
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
