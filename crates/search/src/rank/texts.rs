//! Selects the best pieces so far, and reads each text once.
//!
//! Scores nothing.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::parts::EvidenceParts;
use super::score::EvidenceWeights;
use crate::index::{IndexError, IndexSnapshot, StretchRow};
use crate::passage_source::Source;

/// Stretches with the evidence for each of their pieces.
pub(crate) type Rows = [(StretchRow, Vec<EvidenceParts>)];

/// A cache of stretch texts.
pub(crate) struct Texts<'s> {
    snapshot: &'s IndexSnapshot<'s>,
    known: HashMap<i64, String>,
}

impl<'s> Texts<'s> {
    pub(crate) fn of(snapshot: &'s IndexSnapshot<'s>) -> Self {
        Self {
            snapshot,
            known: HashMap::new(),
        }
    }

    /// The title of a note and the headings above a stretch of it; `None` if the note has only a file name. A heading that
    /// repeats the one above it, such as the title, is named once.
    pub(crate) fn section(&self, key: i64) -> Result<Option<String>, IndexError> {
        let path = self.snapshot.store().section(key)?;
        let mut headings: Vec<&str> = path.lines().collect();
        headings.dedup_by_key(|heading| heading.to_lowercase());
        Ok((!path.is_empty()).then(|| headings.join(" > ")))
    }

    /// The concatenated texts of a stretch.
    pub(crate) fn get(&mut self, key: i64) -> Result<&str, IndexError> {
        Ok(match self.known.entry(key) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(self.snapshot.store().texts(key)?),
        })
    }
}

/// The best pieces of notes so far, as (row, piece).
pub(crate) fn best_of_notes(
    rows: &Rows,
    weights: &EvidenceWeights,
    n_max: usize,
) -> Vec<(usize, usize)> {
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
