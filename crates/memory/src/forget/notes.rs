//! Splits a note into passages for forgetting, and removes passages from a note.
//!
//! Pure; every other byte stays unchanged.

use std::collections::BTreeSet;

use base::{EntryId, LineRange};

use super::model::Keeper;
use crate::OwnerLines;
use crate::curated::current_value;
use crate::daily_log::lines::same_length_text;
use crate::daily_log::with_emptied;
use crate::ledger::{Ledger, LostLines, TakenOver};
use crate::note_text::{NoteLine, NoteText};
use crate::notes::cut_note;
use crate::tombstone::{TextHash, Tombstone};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NotePassage {
    pub(super) lines: LineRange,
    pub(super) text: String,
    pub(super) hash: TextHash,
    /// The hash of the text without the earlier value that the program put at its end, if it has one.
    pub(super) current: Option<TextHash>,
    pub(super) keeper: Keeper,
    pub(super) evidence: Vec<EntryId>,
}

/// The passages of a note, in order.
pub(super) fn passages(ledger: &Ledger, file: &str, bytes: &[u8]) -> Vec<NotePassage> {
    let text = String::from_utf8_lossy(bytes);
    passages_of_text(&ledger.read(file, &text))
}

/// The passages of a note in a folder elsewhere.
pub(super) fn passages_elsewhere(text: &NoteText<'_>) -> Vec<NotePassage> {
    let passages = passages_of_text(text).into_iter();
    let passages = passages.map(|passage| NotePassage {
        keeper: Keeper::Folder,
        ..passage
    });
    passages.collect()
}

fn passages_of_text(text: &NoteText<'_>) -> Vec<NotePassage> {
    let mut found = Vec::new();
    cut_note(text, &mut |passage| {
        let Some(hash) = TextHash::of(&passage.text) else {
            return;
        };
        let (keeper, evidence) = keeper(text, passage.lines);
        let current = current_value(&passage.text);
        let has_older = keeper == Keeper::Program && current.len() < passage.text.len();
        found.push(NotePassage {
            lines: passage.lines,
            current: has_older.then(|| TextHash::of(current)).flatten(),
            text: passage.text,
            hash,
            keeper,
            evidence,
        });
    });
    found
}

/// A passage is ours if it is a single line that is an unchanged note of ours.
fn keeper(text: &NoteText<'_>, range: LineRange) -> (Keeper, Vec<EntryId>) {
    let line = text.line(range.start);
    let ours = line.and_then(NoteLine::ours);
    let keeper = match ours {
        Some(own) if !own.is_added_by_owner() && range.start == range.end => Keeper::Program,
        Some(_) | None => Keeper::Owner,
    };
    let evidence = line.and_then(NoteLine::record);
    let evidence = evidence.map(|own| own.entries().collect());
    (keeper, evidence.unwrap_or_default())
}

/// What to remove from notes.
#[derive(Debug, Clone, Default)]
pub(super) struct RemovedText {
    /// Passages with these texts.
    pub(super) texts: BTreeSet<TextHash>,
    /// Lines of ours made from these entries alone.
    pub(super) entries: BTreeSet<EntryId>,
}

impl RemovedText {
    /// The text that a tombstone removes, given those of its texts that still apply.
    pub(super) fn of<'t>(tombstone: &Tombstone, texts: impl Iterator<Item = &'t TextHash>) -> Self {
        let entries = tombstone
            .entries
            .iter()
            .filter(|it| it.is_whole())
            .map(|entry| &entry.id);
        let entries = entries.filter(|id| !tombstone.evidence.contains(id));
        Self {
            texts: texts.cloned().collect(),
            entries: entries.cloned().collect(),
        }
    }

    /// Whether a passage is removed.
    pub(super) fn takes(&self, passage: &NotePassage, owner_lines: OwnerLines) -> bool {
        let may_go = match passage.keeper {
            Keeper::Program => true,
            Keeper::Owner => owner_lines == OwnerLines::Remove,
            Keeper::Folder => false,
        };
        may_go && self.holds(passage)
    }

    /// Whether a passage only loses the earlier value at its end: the rest was not forgotten.
    pub(super) fn takes_older_value(&self, passage: &NotePassage) -> bool {
        let mut current = passage.current.iter();
        current.any(|left| !self.texts.contains(left)) && !self.is_made_from(passage)
    }

    fn is_made_from(&self, passage: &NotePassage) -> bool {
        let made_from = &passage.evidence;
        passage.keeper == Keeper::Program
            && !made_from.is_empty()
            && made_from.iter().all(|id| self.entries.contains(id))
    }

    fn holds(&self, passage: &NotePassage) -> bool {
        self.texts.contains(&passage.hash) || self.is_made_from(passage)
    }
}

/// The note as this version writes it without the passages, and without our headings that would become empty; `None` if
/// there is nothing to remove.
pub(super) fn without(
    ledger: &Ledger,
    (file, bytes): (&str, &[u8]),
    goes: &RemovedText,
    owner_lines: OwnerLines,
) -> Option<TakenOver> {
    let passages = passages(ledger, file, bytes).into_iter();
    let taken = passages.filter(|passage| goes.takes(passage, owner_lines));
    let (shortened, gone): (Vec<_>, Vec<_>) = taken.partition(|it| goes.takes_older_value(it));
    let numbers = |of: Vec<NotePassage>| -> BTreeSet<usize> {
        let lines = of.into_iter().map(|passage| passage.lines);
        lines.flat_map(|lines| lines.start..=lines.end).collect()
    };
    let (shortened, gone) = (numbers(shortened), numbers(gone));
    if shortened.is_empty() && gone.is_empty() {
        return None;
    }
    let gone = if gone.is_empty() {
        gone
    } else {
        with_emptied(&same_length_text(bytes), gone)
    };
    let lost = LostLines {
        gone: &gone,
        shortened: &shortened,
    };
    Some(ledger.taken_over_but(file, bytes, &lost))
}

/// The numbers of the lines of a note that lose no more than the earlier value at their end.
pub(super) fn shortened(
    ledger: &Ledger,
    (file, bytes): (&str, &[u8]),
    goes: &RemovedText,
) -> BTreeSet<usize> {
    let passages = passages(ledger, file, bytes).into_iter();
    let taken = passages.filter(|it| goes.holds(it) && goes.takes_older_value(it));
    taken.map(|passage| passage.lines.start).collect()
}

#[cfg(test)]
#[path = "edit_tests.rs"]
mod tests;
