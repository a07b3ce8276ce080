//! Finds passages of notes that share most words with a text, by the rarest of these words.
//!
//! Ranks nothing: the caller compares the passages.

use std::collections::{BTreeMap, BTreeSet};

use base::Locator;

use super::score::TermPlace;
use crate::index::{Index, IndexError, IndexSnapshot, StretchHits, StretchId};
use crate::passage_source::Source;
use crate::terms::{Term, TermKind};

/// A stem in at most this many stretches is rare; if too few stems are, the limit is raised by [`MORE`], up to the last.
const STRETCHES_FIRST: u64 = 8;
const MORE: u64 = 8;
const STRETCHES_LAST: u64 = 512;

/// Maximum number of stretches that are read; those with the most rare stems are preferred.
const STRETCHES_READ_MAX: usize = 16;

/// Maximum number of passages that are returned.
const PASSAGES_MAX: usize = 16;

/// Passages of notes as they are in the index, among them those that hold all of these stems except at most
/// `n_missing_max`.
///
/// Such a passage holds one of any `n_missing_max + 1` of the stems, so that only the rarest are looked up: the cost does
/// not grow with the number of notes. If none of the stems is rare, passages are missing.
///
/// # Errors
///
/// [`IndexError`] as for [`search`](super::search).
pub fn notes_holding(
    index: &Index,
    stems: &BTreeSet<String>,
    n_missing_max: usize,
) -> Result<Vec<(Locator, String)>, IndexError> {
    let snapshot = index.snapshot()?;
    let mut counts: BTreeMap<StretchId, usize> = BTreeMap::new();
    let mut rare = Vec::new();
    for stem in rarest(&snapshot, stems, n_missing_max + 1)? {
        let postings = snapshot.postings.of_term(&stem)?;
        for segment in 0..snapshot.postings.n_segments() {
            for (doc, _) in postings.counts(segment) {
                *counts.entry(StretchId::new(segment, doc)).or_default() += 1;
            }
        }
        rare.push(postings);
    }
    let mut most: Vec<(usize, StretchId)> = counts.into_iter().map(|(id, n)| (n, id)).collect();
    most.sort_unstable_by(|left, right| right.cmp(left));
    let mut found: Vec<(usize, Locator, String)> = Vec::new();
    for (_, stretch) in most.into_iter().take(STRETCHES_READ_MAX) {
        let key = snapshot.postings.key(stretch);
        let row = snapshot.stretch(key)?;
        if row.source != Source::Memory {
            continue;
        }
        let mut held: BTreeMap<usize, usize> = BTreeMap::new();
        for postings in &rare {
            let hits = snapshot.postings.places(postings, &[stretch])?;
            let pieces = hits.iter().flat_map(StretchHits::places);
            let passages: BTreeSet<usize> = pieces
                .filter_map(|place| match place {
                    TermPlace::Piece(piece) => Some(row.record.pieces.get(piece)?.passage),
                    TermPlace::Heading => None,
                })
                .collect();
            for passage in passages {
                *held.entry(passage).or_default() += 1;
            }
        }
        let texts = snapshot.store().texts(key)?;
        found.extend(held.into_iter().filter_map(|(passage, n_held)| {
            let passage = row.record.passages.get(passage)?;
            let text = texts.get(passage.text.clone())?.to_owned();
            Some((n_held, Locator::new(row.path.clone(), passage.lines), text))
        }));
    }
    found.sort_by_key(|(n_held, ..)| std::cmp::Reverse(*n_held));
    found.truncate(PASSAGES_MAX);
    let found = found.into_iter().map(|(_, place, text)| (place, text));
    Ok(found.collect())
}

/// The stems that are in the fewest stretches, `n_wanted` of them if so many are rare.
fn rarest(
    snapshot: &IndexSnapshot<'_>,
    stems: &BTreeSet<String>,
    n_wanted: usize,
) -> Result<Vec<Term>, IndexError> {
    let mut common: Vec<Term> = stems
        .iter()
        .map(|text| Term {
            kind: TermKind::Stem,
            text: text.clone(),
        })
        .collect();
    let mut rare = Vec::new();
    let mut n_max = STRETCHES_FIRST;
    while rare.len() < n_wanted && n_max <= STRETCHES_LAST {
        for term in std::mem::take(&mut common) {
            if rare.len() == n_wanted || snapshot.postings.is_in_more_than(&term, n_max)? {
                common.push(term);
            } else {
                rare.push(term);
            }
        }
        n_max *= MORE;
    }
    Ok(rare)
}
