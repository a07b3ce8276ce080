//! The best pieces by what is known so far, and their texts, each read once.
//!
//! Scores nothing.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::parts::Parts;
use super::score::Weights;
use crate::index::{IndexError, Snapshot, StretchRow};
use crate::passage_source::Source;

/// Stretches with what speaks for each of their pieces.
pub(crate) type Rows = [(StretchRow, Vec<Parts>)];

/// The texts of stretches, each read once.
pub(crate) struct Texts<'s> {
    snapshot: &'s Snapshot<'s>,
    known: HashMap<i64, String>,
}

impl<'s> Texts<'s> {
    pub(crate) fn of(snapshot: &'s Snapshot<'s>) -> Self {
        Self {
            snapshot,
            known: HashMap::new(),
        }
    }

    /// The texts of a stretch, one after the other.
    pub(crate) fn get(&mut self, key: i64) -> Result<&str, IndexError> {
        Ok(match self.known.entry(key) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(self.snapshot.store().texts(key)?),
        })
    }
}

/// The best pieces of notes by what is known so far, by row and piece.
pub(crate) fn best_of_notes(rows: &Rows, weights: &Weights, n_max: usize) -> Vec<(usize, usize)> {
    let mut best: Vec<(f64, (usize, usize))> = Vec::new();
    for (row_idx, (row, parts)) in rows.iter().enumerate() {
        if row.source != Source::Memory {
            continue;
        }
        let relevant = parts.iter().enumerate();
        let relevant = relevant.filter(|(_, parts)| parts.is_relevant());
        best.extend(relevant.map(|(idx, parts)| (parts.total(weights), (row_idx, idx))));
    }
    best.sort_unstable_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)));
    best.truncate(n_max);
    best.into_iter().map(|(_, place)| place).collect()
}
