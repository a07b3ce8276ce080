//! The notes that this process wrote since the index last took in everything, for comparison with the next one.
//!
//! Lets a note cost the same however long the log of the day is: to take in one note, the index reads its whole log.

use std::collections::BTreeSet;
use std::sync::Mutex;

use base::{Locator, locked};

use super::index::COMMON_WORDS;

/// Number of notes after which the index takes them in.
const RECENT_MAX: usize = 200;

/// A note as it was written.
#[derive(Debug, Clone)]
pub(crate) struct RecentNote {
    pub(crate) place: Locator,
    pub(crate) text: String,
    stems: BTreeSet<String>,
}

/// Notes, the oldest first; `None` until the index contains the notes from before this process.
#[derive(Debug, Default)]
pub(crate) struct RecentNotes(Mutex<Option<Vec<RecentNote>>>);

impl RecentNotes {
    /// Remembers a note that was written.
    pub(crate) fn push(&self, place: Locator, text: &str) {
        if let Some(notes) = &mut *locked(&self.0) {
            notes.push(RecentNote {
                place,
                text: text.to_owned(),
                stems: COMMON_WORDS.telling_stems(text),
            });
        }
    }

    /// The newest note whose stems are near.
    pub(crate) fn newest(&self, is_near: &dyn Fn(&BTreeSet<String>) -> bool) -> Option<RecentNote> {
        let notes = locked(&self.0);
        let mut notes = notes.iter().flatten().rev();
        notes.find(|note| is_near(&note.stems)).cloned()
    }

    /// Whether the index must take in the notes before it is searched.
    pub(crate) fn is_full(&self) -> bool {
        let notes = locked(&self.0);
        notes.as_ref().is_none_or(|notes| notes.len() >= RECENT_MAX)
    }

    /// Forgets the notes, once the index has taken them in.
    pub(crate) fn begin_anew(&self) {
        *locked(&self.0) = Some(Vec::new());
    }
}
