//! Gathers the shortlist of stretches, with the positions of the question's terms in each.
//!
//! Scores nothing: `stretches` selects by words, the vectors by meaning.

use std::collections::BTreeMap;
use std::ops::Range;

use base::WordVectors;
use base::model::Spelling;

use super::bounds::{Bounds, KnownStretch};
use super::called::called_names;
use super::found_term::{FoundTerm, TermHits, hits_in, scored};
use super::meaning::QuestionVector;
use super::model::NothingFound;
use super::near_words::near_words;
use super::newer::AskedWord;
use super::query::{Question, TermRole};
use super::score::TermPlace;
use super::slips::slips;
use super::stretches::best_stretches;
use super::wishes::near_wishes;
use crate::index::{IndexError, IndexSnapshot, StretchId};

/// The terms found and the shortlist.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    pub(crate) terms: Vec<FoundTerm>,
    /// Spelling corrections for words that the index lacks.
    pub(crate) spellings: Vec<Spelling>,
    /// Stretch keys, each with the hits of the terms in it, by term index.
    pub(crate) shortlist: Vec<(i64, TermHits)>,
}

impl Gathered {
    /// The reason why nothing of it is an answer.
    pub(crate) fn why_nothing(&self) -> NothingFound {
        if self.shortlist.iter().any(|(_, found)| !found.is_empty()) {
            NothingFound::NothingRelevant
        } else {
            NothingFound::NoMatch
        }
    }

    /// The question words in a range of pieces of a shortlisted stretch.
    pub(crate) fn held_by(&self, row: usize, pieces: &Range<usize>) -> Vec<AskedWord> {
        self.held_where(
            row,
            |place| matches!(place, TermPlace::Piece(piece) if pieces.contains(&piece)),
        )
    }

    /// The question words in a range of pieces or, if the question calls its note by name, in its names and headings.
    pub(crate) fn held_under_name(&self, row: usize, pieces: &Range<usize>) -> Vec<AskedWord> {
        let is_called = self.called_by(row).is_some();
        self.held_where(row, |place| match place {
            TermPlace::Piece(piece) => pieces.contains(&piece),
            TermPlace::Heading => is_called,
        })
    }

    fn held_where(&self, row: usize, is_within: impl Fn(TermPlace) -> bool) -> Vec<AskedWord> {
        let standing = self.shortlist.get(row).map(|(_, standing)| standing);
        let held = standing.into_iter().flatten().filter_map(|(idx, hits)| {
            let term = self.terms.get(*idx).filter(|term| term.is_whole())?;
            hits.places().any(&is_within).then_some(AskedWord {
                term: *idx,
                idf: term.idf,
                n_pieces: term.postings.n_pieces,
            })
        });
        held.collect()
    }
}

/// Looks up the question's terms and their near words, and selects the best stretches within the bounds, by words and
/// by meaning.
pub(crate) fn gather(
    snapshot: &IndexSnapshot<'_>,
    question: &Question,
    (meaning, words): (Option<&QuestionVector>, Option<&dyn WordVectors>),
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
    // Run both searches in parallel.
    let (near, words) = std::thread::scope(|scope| {
        let near = scope.spawn(|| sight.nearest());
        let words = words();
        (near.join(), words)
    });
    let near = near.map_err(|_| IndexError::Damaged("its vectors cannot be searched".into()))?;
    with_near(snapshot, words?, &[near?, called].concat())
}

/// The result of the search by words.
struct ByWords {
    terms: Vec<FoundTerm>,
    spellings: Vec<Spelling>,
    /// The best stretches, each with the hits of the scored terms.
    read: BTreeMap<StretchId, TermHits>,
}

/// Words whose IDF is below this share of the highest IDF found are skipped.
const TELLING_MIN: f64 = 0.2;

/// Drops words that occur nearly everywhere: reading their positions is slow and does not help.
fn leave_out_common(terms: &mut Vec<FoundTerm>) {
    // Compare stems only: a form has a higher IDF than its stem.
    let found = terms
        .iter()
        .filter(|term| term.is_found() && term.is_whole());
    let least = TELLING_MIN * found.map(|term| term.idf).fold(0.0, f64::max);
    let stems = terms.iter().skip(1).chain(terms.last());
    // A form is kept or dropped with its stem, which follows it.
    let tells = |(term, next): (&FoundTerm, &FoundTerm)| match term.term.part {
        TermRole::Form => next.idf >= least,
        TermRole::Whole | TermRole::Near(_) | TermRole::Meant(_) => term.idf >= least,
        TermRole::Date | TermRole::Name => true,
    };
    let mut kept: Vec<bool> = terms.iter().zip(stems).map(tells).collect();
    kept.reverse();
    terms.retain(|_| kept.pop().unwrap_or(false));
}

/// Looks up the question's terms and selects the best stretches by them.
fn by_words(
    snapshot: &IndexSnapshot<'_>,
    question: &Question,
    words: Option<&dyn WordVectors>,
    bounds: &Bounds<'_>,
) -> Result<ByWords, IndexError> {
    let mut terms: Vec<FoundTerm> = Vec::with_capacity(question.terms.len());
    for term in &question.terms {
        terms.push(FoundTerm::looked_up(snapshot, term.clone())?);
    }
    leave_out_common(&mut terms);
    let (mut near, spellings) = slips(snapshot, words, &terms)?;
    if let Some(words) = words {
        near.extend(near_words(snapshot, words, &terms, &spellings)?);
    }
    terms.extend(near);
    terms.extend(called_names(snapshot, question)?);
    let read = best_stretches(snapshot, &terms, bounds)?;
    Ok(ByWords {
        terms,
        spellings,
        read,
    })
}

/// Maximum number of stretches added for the days that a question names.
const OF_DAYS_MAX: usize = 512;

/// Adds the stretches of the days that the question names: the best if there are too many.
fn add_of_days(
    snapshot: &IndexSnapshot<'_>,
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
        let known = KnownStretch {
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
    let mut read: Vec<(StretchId, TermHits)> = of_days.into_iter().zip(hits).collect();
    if read.len() > OF_DAYS_MAX {
        read.retain(|(_, standing)| !standing.is_empty());
        // Keep those with the most terms; among equals, those written first.
        read.sort_by_key(|(_, standing)| std::cmp::Reverse(standing.len()));
        read.truncate(OF_DAYS_MAX);
    }
    found.read.extend(read);
    Ok(())
}

/// Merges the stretches found by words with those near in meaning, and reads the hits of the latter.
fn with_near(
    snapshot: &IndexSnapshot<'_>,
    words: ByWords,
    near: &[i64],
) -> Result<Gathered, IndexError> {
    let ByWords {
        terms,
        spellings,
        mut read,
    } = words;
    let mut shortlist: BTreeMap<i64, TermHits> = BTreeMap::new();
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
