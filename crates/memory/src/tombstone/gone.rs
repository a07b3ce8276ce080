//! What is to stand nowhere any more, and whether a text says it.
//!
//! Data alone; takes nothing away.

use std::collections::BTreeSet;

use base::EntryId;
use memchr::memmem;

use super::model::{TextHash, TombstoneId};

/// What is to stand nowhere any more.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Gone {
    /// Whole texts, known by their hashes.
    pub texts: BTreeSet<TextHash>,
    /// Entries of transcripts that say nothing any more.
    pub entries: BTreeSet<EntryId>,
    /// What was forgotten under these ids cannot be taken back: no copy of it is kept.
    pub forgettings: BTreeSet<TombstoneId>,
    /// Words, to the letter, wherever they stand.
    pub words: Vec<String>,
}

impl Gone {
    /// Whether a text is one of those, or holds any of the words.
    pub(crate) fn says(&self, text: &str) -> bool {
        self.holds_words(text.as_bytes())
            || TextHash::of(text).is_some_and(|hash| self.texts.contains(&hash))
    }

    /// Whether bytes hold any of the words, as they are or as JSON writes them.
    pub(crate) fn holds_words(&self, bytes: &[u8]) -> bool {
        let mut words = self.words.iter().filter(|word| !word.is_empty());
        words.any(|word| {
            let quoted = serde_json::Value::from(word.as_str()).to_string();
            let escaped = quoted.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
            let holds = |word: &str| memmem::find(bytes, word.as_bytes()).is_some();
            holds(word) || escaped.is_some_and(holds)
        })
    }
}
