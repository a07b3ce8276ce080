//! All tombstones of a home, indexed by what they hide.
//!
//! Never reads a file.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use base::{EntryId, LineRange, Timestamp, content_hash, short_hash};
use memchr::memmem;

use super::model::{ForgottenEntry, TextHash, Tombstone, TombstoneCause, TombstoneId};

/// All tombstones of a home.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tombstones {
    all: Vec<Tombstone>,
    hidden: BTreeSet<TextHash>,
    rejected: BTreeSet<TextHash>,
    entries: BTreeSet<EntryId>,
    /// Those of the entries whose notes are hidden too.
    chosen: BTreeSet<EntryId>,
    /// The lines of hidden entries, by path of the transcript.
    lines: HashMap<String, BTreeSet<usize>>,
    /// The hidden sentences of entries that are visible otherwise.
    parts: HashMap<EntryId, BTreeSet<TextHash>>,
    /// The same, by path of the transcript and line.
    parts_at: BTreeMap<String, BTreeMap<usize, BTreeSet<TextHash>>>,
}

impl Tombstones {
    /// Builds the set.
    pub fn new(all: Vec<Tombstone>) -> Self {
        let mut set = Self::default();
        for tombstone in &all {
            let texts = match tombstone.why {
                TombstoneCause::Forgotten => &mut set.hidden,
                TombstoneCause::Rejected => &mut set.rejected,
            };
            texts.extend(tombstone.standing_texts().cloned());
            if tombstone.why == TombstoneCause::Rejected {
                continue;
            }
            for entry in &tombstone.entries {
                if !entry.is_whole() {
                    let sentences = || entry.sentences.iter().cloned();
                    let part = set.parts.entry(entry.id.clone()).or_default();
                    part.extend(sentences());
                    let lines = set.parts_at.entry(entry.path.clone()).or_default();
                    lines.entry(entry.line).or_default().extend(sentences());
                    continue;
                }
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

    /// All tombstones, oldest first.
    pub fn all(&self) -> &[Tombstone] {
        &self.all
    }

    /// The tombstones of forgets, oldest first.
    pub(crate) fn forgotten(&self) -> impl DoubleEndedIterator<Item = &Tombstone> {
        self.all
            .iter()
            .filter(|it| it.why == TombstoneCause::Forgotten)
    }

    /// Whether `others` lacks any of these tombstones.
    pub(crate) fn has_others_than(&self, others: &Self) -> bool {
        let is_known = |own: &Tombstone| others.all.iter().any(|it| it.id == own.id);
        !self.all.iter().all(is_known)
    }

    /// Whether nothing is hidden.
    pub fn hides_nothing(&self) -> bool {
        self.hidden.is_empty() && self.entries.is_empty() && self.parts.is_empty()
    }

    /// Whether a text is forgotten.
    pub fn hides_text(&self, text: &str) -> bool {
        !self.hidden.is_empty()
            && TextHash::of(text).is_some_and(|hash| self.hidden.contains(&hash))
    }

    /// The oldest tombstone that hides a text.
    pub fn forgotten_by(&self, text: &str) -> Option<&TombstoneId> {
        let hash = TextHash::of(text)?;
        self.hiding(&hash).map(|tombstone| &tombstone.id).next()
    }

    /// The oldest tombstone that hides an entry in these lines of a transcript.
    pub fn forgotten_at(&self, path: &str, lines: LineRange) -> Option<&TombstoneId> {
        let is_there = |entry: &ForgottenEntry| entry.path == path && lines.contains(entry.line);
        let mut forgotten = self.forgotten();
        let found = forgotten.find(|it| it.entries.iter().any(is_there));
        found.map(|tombstone| &tombstone.id)
    }

    /// The newest tombstone made since `since` that removed lines from a file.
    pub fn taken_from(&self, file: &str, since: Timestamp) -> Option<&TombstoneId> {
        let mut newest = self.forgotten().rev().filter(|it| it.at >= since);
        let found = newest.find(|it| it.files.iter().any(|path| path.as_str() == file));
        found.map(|tombstone| &tombstone.id)
    }

    /// Whether the owner has stated forgotten text again: a visible entry of the note is newer than the forget.
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

    /// Whether an entry is hidden.
    pub fn hides_entry(&self, id: &EntryId) -> bool {
        self.entries.contains(id)
    }

    /// The visible part of the text of an entry that has these ids, its own and those of the entries it was copied
    /// from: without the sentences that were forgotten.
    pub fn left_of<'t>(&self, ids: &[&EntryId], text: &'t str) -> Cow<'t, str> {
        let parts = ids.iter().filter_map(|id| self.parts.get(*id));
        let hidden: BTreeSet<&TextHash> = parts.flatten().collect();
        without_hidden(text, &hidden)
    }

    /// Whether an entry is hidden together with all notes made from it.
    pub(crate) fn hides_all_of(&self, id: &EntryId) -> bool {
        self.chosen.contains(id)
    }

    /// Whether the entry in a line of a transcript is hidden, or a sentence of it that this text holds.
    pub fn hides_line(&self, path: &str, line: usize, text: &str) -> bool {
        let lines = self.lines.get(path);
        if lines.is_some_and(|lines| lines.contains(&line)) {
            return true;
        }
        let part = self.parts_at.get(path).and_then(|lines| lines.get(&line));
        part.is_some_and(|part| {
            let hidden: BTreeSet<&TextHash> = part.iter().collect();
            matches!(without_hidden(text, &hidden), Cow::Owned(_))
        })
    }

    /// Whether a note is forgotten: its text, or all of its evidence. Entries hidden only because another note is based
    /// on them do not count.
    pub fn hides_note(&self, text: &str, evidence: &[EntryId]) -> bool {
        let is_said_by_hidden =
            !evidence.is_empty() && evidence.iter().all(|id| self.chosen.contains(id));
        is_said_by_hidden || self.hides_text(text)
    }

    /// Whether the owner has rejected a text as a memory.
    pub fn rejects(&self, text: &str) -> bool {
        TextHash::of(text).is_some_and(|hash| self.rejected.contains(&hash))
    }

    /// When a hidden text was last forgotten; `None` if it is not hidden.
    pub fn hidden_since(&self, text: &str) -> Option<Timestamp> {
        let hash = TextHash::of(text)?;
        self.hiding(&hash).map(|tombstone| tombstone.at).max()
    }

    /// The key under which dreams record a note as read. A reinstated text gets a new key, so that it is read again.
    pub fn note_key(&self, text: &str) -> String {
        let hash = TextHash::of(text);
        let is_retold =
            |it: &&Tombstone| it.reinstated.iter().any(|own| Some(own) == hash.as_ref());
        match self.all.iter().rev().find(is_retold) {
            Some(forgotten) => short_hash(&format!("{text}\n{}", forgotten.id)),
            None => short_hash(text),
        }
    }

    /// A digest of the hidden parts of a transcript.
    pub fn history_of(&self, path: &str) -> String {
        let lines = self.lines.get(path);
        match self.parts_at.get(path) {
            Some(parts) => digest(&(lines, parts)),
            None => digest(&lines),
        }
    }

    /// A digest of the hidden parts of all transcripts.
    pub fn history(&self) -> String {
        if self.parts_at.is_empty() {
            return digest(&self.entries);
        }
        digest(&(&self.entries, &self.parts_at))
    }

    /// A digest of all hidden texts; 0 if there are none.
    pub(crate) fn text_version(&self) -> u64 {
        if self.hidden.is_empty() {
            return 0;
        }
        // SQLite integers are signed.
        let version = u64::from_str_radix(&digest(&self.hidden), 16).unwrap_or_default() >> 1;
        version.max(1)
    }
}

/// A text without these sentences, and without the lines of which nothing is left.
fn without_hidden<'t>(text: &'t str, hidden: &BTreeSet<&TextHash>) -> Cow<'t, str> {
    if hidden.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut is_whole = true;
    let mut left: Vec<String> = Vec::new();
    let is_visible = |it: &str| !TextHash::of(it).is_some_and(|hash| hidden.contains(&hash));
    for line in text.lines() {
        let Some(line) = base::without_sentences(line, &is_visible) else {
            left.push(line.to_owned());
            continue;
        };
        is_whole = false;
        if !line.trim().is_empty() {
            left.push(line);
        }
    }
    if is_whole {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(left.join("\n"))
    }
}

fn digest(what: &impl std::fmt::Debug) -> String {
    let mut hex = content_hash(format!("{what:?}").as_bytes());
    hex.truncate(16);
    hex
}

/// What to delete everywhere, for good.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PurgeTargets {
    /// Hashes of whole texts.
    pub texts: BTreeSet<TextHash>,
    /// Hashes of whole texts that stay, whatever words they contain.
    pub spared: BTreeSet<TextHash>,
    /// Redacted entries of transcripts.
    pub entries: BTreeSet<EntryId>,
    /// Exact strings, wherever they occur.
    pub words: Vec<String>,
}

impl PurgeTargets {
    /// Whether a text is one of `texts` or contains one of `words`.
    pub(crate) fn says(&self, text: &str) -> bool {
        self.holds_words(text.as_bytes())
            || TextHash::of(text).is_some_and(|hash| self.texts.contains(&hash))
    }

    /// Whether a text stays, whatever words it contains.
    pub(crate) fn spares(&self, text: &str) -> bool {
        TextHash::of(text).is_some_and(|hash| self.spared.contains(&hash))
    }

    /// Whether bytes contain one of `words`, plain or escaped as in JSON.
    pub(crate) fn holds_words(&self, bytes: &[u8]) -> bool {
        self.words.iter().any(|word| holds_word(bytes, word))
    }

    /// The same, but without the words in a text that stays.
    pub(crate) fn beside(&self, spared: &str) -> Self {
        let words = self.words.iter();
        let words = words.filter(|word| !holds_word(spared.as_bytes(), word));
        Self {
            words: words.cloned().collect(),
            ..self.clone()
        }
    }
}

fn holds_word(bytes: &[u8], word: &str) -> bool {
    let quoted = serde_json::Value::from(word).to_string();
    let escaped = quoted.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
    let holds = |word: &str| memmem::find(bytes, word.as_bytes()).is_some();
    !word.is_empty() && (holds(word) || escaped.is_some_and(holds))
}
