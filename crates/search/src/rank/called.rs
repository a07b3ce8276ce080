//! Finds the notes that a question calls by their title or by another of their names.
//!
//! Compares whole names only: a part of a name does not call a note.

use super::found_term::FoundTerm;
use super::gather::Gathered;
use super::query::{QueryTerm, Question, TermRole};
use super::ranked::{Best, Ranked};
use super::score::real;
use crate::index::{IndexError, IndexSnapshot, StretchHits};
use crate::terms::Term;

/// The longest name that is looked up, in words, or in characters of a script without spaces.
const NAME_WORDS_MAX: usize = 8;

/// A longer text is not a question: its words do not name notes.
const ASKED_WORDS_MAX: usize = 64;

/// How many notes are moved to the top.
const CALLED_FIRST: usize = 3;

/// A name of one word may be meant as a word: its note must score at least this share of the best.
const ONE_WORD_SHARE_MIN: f64 = 0.5;

/// The names of notes that the question holds, without those that are part of a longer one.
pub(super) fn called_names(
    snapshot: &IndexSnapshot<'_>,
    question: &Question,
) -> Result<Vec<FoundTerm>, IndexError> {
    let words = &question.forms;
    let mut found = Vec::new();
    if words.len() > ASKED_WORDS_MAX {
        return Ok(found);
    }
    let mut taken = vec![false; words.len()];
    for n_words in (1..=NAME_WORDS_MAX.min(words.len())).rev() {
        for (start, name) in words.windows(n_words).enumerate() {
            let range = start..start + n_words;
            let is_part = |taken: &[bool]| taken.iter().all(|is_taken| *is_taken);
            if taken.get(range.clone()).is_some_and(is_part) {
                continue;
            }
            let Some(term) = Term::name(name) else {
                continue;
            };
            let term = QueryTerm {
                term,
                part: TermRole::Name,
                share: real(n_words as u64),
            };
            let term = FoundTerm::looked_up(snapshot, term)?;
            if term.n_stretches() > 0 {
                taken
                    .get_mut(range)
                    .into_iter()
                    .for_each(|it| it.fill(true));
                found.push(term);
            }
        }
    }
    Ok(found)
}

impl Gathered {
    /// The number of words of the longest name by which the question calls the note of a shortlisted stretch.
    pub(super) fn called_by(&self, row: usize) -> Option<f64> {
        let (_, found) = self.shortlist.get(row)?;
        longest_name(&self.terms, found)
    }
}

/// The number of words of the longest name among the terms that a stretch holds.
fn longest_name(terms: &[FoundTerm], found: &[(usize, StretchHits)]) -> Option<f64> {
    let terms = found.iter().filter_map(|(idx, _)| terms.get(*idx));
    let names = terms.filter(|term| term.term.part == TermRole::Name);
    names.map(|name| name.term.share).reduce(f64::max)
}

/// Whether the question calls the note of a stretch by a name of several words: then it is relevant whatever its text.
pub(super) fn is_called(terms: &[FoundTerm], found: &[(usize, StretchHits)]) -> bool {
    longest_name(terms, found).is_some_and(|n_words| n_words > 1.0)
}

impl Ranked {
    /// The best passage of each note that the question calls, by the longest name first.
    pub(super) fn called(&self, gathered: &Gathered) -> Vec<Best> {
        let highest = self.best.first().map_or(0.0, |best| best.score);
        let mut called: Vec<(f64, &str, Best)> = Vec::new();
        for best in &self.best {
            let path = self.rows.get(best.row).map(|(row, _)| row.path.as_str());
            let Some((n_words, path)) = gathered.called_by(best.row).zip(path) else {
                continue;
            };
            let is_meant = n_words > 1.0 || best.score >= ONE_WORD_SHARE_MIN * highest;
            if is_meant && called.iter().all(|(_, known, _)| *known != path) {
                called.push((n_words, path, *best));
            }
        }
        called.sort_by(|left, right| right.0.total_cmp(&left.0));
        called.truncate(CALLED_FIRST);
        called.into_iter().map(|(.., best)| best).collect()
    }

    /// Moves these results to the top, in this order.
    pub(super) fn put_first(&mut self, first: &[Best]) {
        let highest = self.best.first().map_or(0.0, |best| best.score);
        let is_same =
            |left: &Best, right: &Best| (left.row, left.passage) == (right.row, right.passage);
        let mut order: Vec<Best> = Vec::with_capacity(self.best.len());
        for first in first {
            let known = self.best.iter().find(|best| is_same(best, first));
            // Raise it to the best score, so that scores stay in order.
            order.push(Best {
                score: first.score.max(highest),
                ..*known.unwrap_or(first)
            });
        }
        let is_rest = |best: &&Best| !first.iter().any(|first| is_same(first, best));
        order.extend(self.best.iter().filter(is_rest).copied());
        self.best = order;
    }
}
