//! The notes that this process wrote since the index last took in everything, for comparison with the next one.
//!
//! A note therefore costs the same however long the log of its day is: the index would read the whole log to take in
//! one note.

use std::collections::{BTreeSet, HashMap};
use std::sync::Mutex;

use base::{Locator, locked};

use super::index::COMMON_WORDS;

/// Number of notes after which the index takes them in.
const RECENT_MAX: usize = 10_000;

/// Maximum number of notes with a rare stem that are compared with the next note; the newest are preferred.
const COMPARED_MAX: usize = 64;

/// A note as it was written.
#[derive(Debug, Clone)]
pub(crate) struct RecentNote {
    pub(crate) place: Locator,
    pub(crate) text: String,
    stems: BTreeSet<String>,
}

/// Notes, the oldest first; `None` until the index contains the notes from before this process.
#[derive(Debug, Default)]
pub(crate) struct RecentNotes(Mutex<Option<NotesByStem>>);

/// Notes, and where each stem is among them.
#[derive(Debug, Default)]
struct NotesByStem {
    notes: Vec<RecentNote>,
    holding: HashMap<String, Vec<usize>>,
}

impl RecentNotes {
    /// Remembers a note that was written.
    pub(crate) fn push(&self, place: Locator, text: &str) {
        if let Some(known) = &mut *locked(&self.0) {
            let stems = COMMON_WORDS.telling_stems(text);
            for stem in &stems {
                let holding = known.holding.entry(stem.clone()).or_default();
                holding.push(known.notes.len());
            }
            known.notes.push(RecentNote {
                place,
                text: text.to_owned(),
                stems,
            });
        }
    }

    /// The newest note that is near, of those that hold all of these stems except at most `n_missing_max`.
    pub(crate) fn newest(
        &self,
        (stems, n_missing_max): (&BTreeSet<String>, usize),
        is_near: &dyn Fn(&BTreeSet<String>) -> bool,
    ) -> Option<RecentNote> {
        let known = locked(&self.0);
        let known = known.as_ref()?;
        let holding = |stem: &String| known.holding.get(stem).map_or(&[][..], Vec::as_slice);
        // Such a note holds one of any `n_missing_max + 1` of the stems: here of those that the fewest notes hold.
        let mut all: Vec<&[usize]> = stems.iter().map(holding).collect();
        all.sort_by_key(|holding| holding.len());
        let mut candidates: BTreeSet<usize> = BTreeSet::new();
        for holding in all.into_iter().take(n_missing_max + 1) {
            for idx in holding.iter().rev().take(COMPARED_MAX) {
                candidates.insert(*idx);
            }
        }
        let mut notes = candidates
            .iter()
            .rev()
            .filter_map(|idx| known.notes.get(*idx));
        notes.find(|note| is_near(&note.stems)).cloned()
    }

    /// Whether the index must take in the notes before it is searched.
    pub(crate) fn is_full(&self) -> bool {
        let known = locked(&self.0);
        known
            .as_ref()
            .is_none_or(|known| known.notes.len() >= RECENT_MAX)
    }

    /// Forgets the notes, once the index has taken them in.
    pub(crate) fn begin_anew(&self) {
        *locked(&self.0) = Some(NotesByStem::default());
    }
}
