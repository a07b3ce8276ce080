//! All tombstones of a home, and what they hide.
//!
//! Never reads a file; asks about one text, note or entry at a time.

use std::collections::{BTreeSet, HashMap};

use base::{EntryId, LineRange, Timestamp, content_hash, short_hash};
use memchr::memmem;

use super::model::{ForgottenEntry, TextHash, Tombstone, TombstoneId, Why};

/// All tombstones of a home.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tombstones {
    all: Vec<Tombstone>,
    hidden: BTreeSet<TextHash>,
    rejected: BTreeSet<TextHash>,
    entries: BTreeSet<EntryId>,
    /// Those of them that hide the notes made from them, too.
    chosen: BTreeSet<EntryId>,
    /// The lines of hidden entries, by transcript.
    lines: HashMap<String, BTreeSet<usize>>,
}

impl Tombstones {
    /// These tombstones.
    pub fn new(all: Vec<Tombstone>) -> Self {
        let mut set = Self::default();
        for tombstone in &all {
            let texts = match tombstone.why {
                Why::Forgotten => &mut set.hidden,
                Why::Rejected => &mut set.rejected,
            };
            texts.extend(tombstone.standing_texts().cloned());
            if tombstone.why == Why::Rejected {
                continue;
            }
            for entry in &tombstone.entries {
                set.entries.insert(entry.id.clone());
                if !tombstone.evidence.contains(&entry.id) {
                    set.chosen.insert(entry.id.clone());
                }
                let lines = set.lines.entry(entry.path.clone()).or_default();
                lines.insert(entry.line);
            }
        }
        set.all = all;
        set
    }

    /// Each of them, the oldest first.
    pub fn all(&self) -> &[Tombstone] {
        &self.all
    }

    /// Those by which something was forgotten, the oldest first.
    pub(crate) fn forgotten(&self) -> impl DoubleEndedIterator<Item = &Tombstone> {
        self.all.iter().filter(|it| it.why == Why::Forgotten)
    }

    /// Whether any of these is not among others.
    pub(crate) fn has_others_than(&self, others: &Self) -> bool {
        let is_known = |own: &Tombstone| others.all.iter().any(|it| it.id == own.id);
        !self.all.iter().all(is_known)
    }

    /// Whether nothing at all is hidden.
    pub fn hides_nothing(&self) -> bool {
        self.hidden.is_empty() && self.entries.is_empty()
    }

    /// Whether a text was forgotten.
    pub fn hides_text(&self, text: &str) -> bool {
        !self.hidden.is_empty()
            && TextHash::of(text).is_some_and(|hash| self.hidden.contains(&hash))
    }

    /// The tombstone by which a text was forgotten.
    pub fn forgotten_by(&self, text: &str) -> Option<&TombstoneId> {
        let hash = TextHash::of(text)?;
        self.hiding(&hash).map(|tombstone| &tombstone.id).next()
    }

    /// The tombstone by which an entry in these lines of a transcript was forgotten.
    pub fn forgotten_at(&self, path: &str, lines: LineRange) -> Option<&TombstoneId> {
        let is_there = |entry: &ForgottenEntry| {
            entry.path == path && (lines.start..=lines.end).contains(&entry.line)
        };
        let mut forgotten = self.forgotten();
        let found = forgotten.find(|it| it.entries.iter().any(is_there));
        found.map(|tombstone| &tombstone.id)
    }

    /// The newest tombstone by which lines were taken from a file since an instant.
    pub fn taken_from(&self, file: &str, since: Timestamp) -> Option<&TombstoneId> {
        let mut newest = self.forgotten().rev().filter(|it| it.at >= since);
        let found = newest.find(|it| it.files.iter().any(|path| path.as_str() == file));
        found.map(|tombstone| &tombstone.id)
    }

    /// Whether a note says what was forgotten and the owner said again since: one of the entries that say
    /// so is newer than the forgetting.
    pub fn is_reinstated(&self, text: &str, evidence: &[EntryId]) -> bool {
        let Some(forgotten_at) = self.hidden_since(text) else {
            return false;
        };
        let is_newer = |entry: &EntryId| entry.made_at().is_some_and(|at| at > forgotten_at);
        let mut shown = evidence.iter().filter(|entry| !self.hides_entry(entry));
        shown.any(is_newer)
    }

    fn hiding(&self, hash: &TextHash) -> impl Iterator<Item = &Tombstone> {
        self.forgotten()
            .filter(move |it| it.standing_texts().any(|text| text == hash))
    }

    /// Whether an entry was forgotten.
    pub fn hides_entry(&self, id: &EntryId) -> bool {
        self.entries.contains(id)
    }

    /// Whether an entry was forgotten with everything that it says.
    pub(crate) fn hides_all_of(&self, id: &EntryId) -> bool {
        self.chosen.contains(id)
    }

    /// Whether what stands in a line of a transcript was forgotten.
    pub fn hides_line(&self, path: &str, line: usize) -> bool {
        self.lines
            .get(path)
            .is_some_and(|lines| lines.contains(&line))
    }

    /// Whether a note was forgotten: its text, or everything that says it. A message that was hidden for
    /// another thing that it says takes no note with it.
    pub fn hides_note(&self, text: &str, evidence: &[EntryId]) -> bool {
        let is_said_by_hidden =
            !evidence.is_empty() && evidence.iter().all(|id| self.chosen.contains(id));
        is_said_by_hidden || self.hides_text(text)
    }

    /// Whether the owner rejected a text as a memory.
    pub fn rejects(&self, text: &str) -> bool {
        TextHash::of(text).is_some_and(|hash| self.rejected.contains(&hash))
    }

    /// When a text was forgotten last that is still hidden.
    pub fn hidden_since(&self, text: &str) -> Option<Timestamp> {
        let hash = TextHash::of(text)?;
        self.hiding(&hash).map(|tombstone| tombstone.at).max()
    }

    /// The key by which a note counts as read: what was stated again after it was forgotten is another note.
    pub fn note_key(&self, text: &str) -> String {
        let hash = TextHash::of(text);
        let is_retold =
            |it: &&Tombstone| it.reinstated.iter().any(|own| Some(own) == hash.as_ref());
        match self.all.iter().rev().find(is_retold) {
            Some(forgotten) => short_hash(&format!("{text}\n{}", forgotten.id)),
            None => short_hash(text),
        }
    }

    /// Changes whenever other entries of a transcript are hidden.
    pub fn history_of(&self, path: &str) -> String {
        digest(&self.lines.get(path))
    }

    /// Changes whenever other entries of any transcript are hidden.
    pub fn history(&self) -> String {
        digest(&self.entries)
    }

    /// Changes whenever other texts are hidden; 0 while there are none.
    pub(crate) fn text_version(&self) -> u64 {
        if self.hidden.is_empty() {
            return 0;
        }
        // SQLite knows signed numbers only.
        let version = u64::from_str_radix(&digest(&self.hidden), 16).unwrap_or_default() >> 1;
        version.max(1)
    }
}

fn digest(what: &impl std::fmt::Debug) -> String {
    let mut hex = content_hash(format!("{what:?}").as_bytes());
    hex.truncate(16);
    hex
}

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
