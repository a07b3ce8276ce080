//! Splits a note into passages for forgetting, and removes passages from a note.
//!
//! Pure; every other byte stays unchanged.

use std::collections::BTreeSet;

use base::{EntryId, LineRange};

use super::model::Keeper;
use crate::candidates::EvidenceRef;
use crate::daily_log::lines::same_length_text;
use crate::daily_log::with_emptied;
use crate::ledger::{Ledger, TakenOver};
use crate::notes::cut_note;
use crate::tombstone::{TextHash, Tombstone};
use crate::{OwnerLines, note};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NotePassage {
    pub(super) lines: LineRange,
    pub(super) text: String,
    pub(super) hash: TextHash,
    pub(super) keeper: Keeper,
    pub(super) evidence: Vec<EntryId>,
}

/// The passages of a note, in order.
pub(super) fn passages(ledger: &Ledger, file: &str, bytes: &[u8]) -> Vec<NotePassage> {
    let text = String::from_utf8_lossy(bytes);
    let text = ledger.spelled(file, &text);
    let lines: Vec<&str> = text.split('\n').collect();
    let mut found = Vec::new();
    cut_note(&text, &mut |passage| {
        let Some(hash) = TextHash::of(&passage.text) else {
            return;
        };
        let (keeper, evidence) = keeper(&lines, passage.lines);
        found.push(NotePassage {
            lines: passage.lines,
            text: passage.text,
            hash,
            keeper,
            evidence,
        });
    });
    found
}

/// A passage is ours if it is a single line that is an unchanged note of ours.
fn keeper(lines: &[&str], range: LineRange) -> (Keeper, Vec<EntryId>) {
    let line = lines.get(range.start.saturating_sub(1));
    let note = line.and_then(|line| note::parse(line.trim_end_matches('\r')));
    let keeper = match &note {
        Some(note)
            if note.is_as_written() && !note.is_added_by_owner() && range.start == range.end =>
        {
            Keeper::Program
        }
        Some(_) | None => Keeper::Owner,
    };
    let evidence = note.map(|note| note.evidence).unwrap_or_default();
    (keeper, evidence.into_iter().map(entry_of).collect())
}

/// The entry id of an evidence reference. A line of `MEMORY.md` also names the file.
fn entry_of(evidence: EntryId) -> EntryId {
    match EvidenceRef::parse(evidence.as_str()) {
        Some(reference) => EntryId::new(reference.key),
        None => evidence,
    }
}

/// What to remove from notes.
#[derive(Debug, Clone, Default)]
pub(super) struct RemovedText {
    /// Passages with these texts.
    pub(super) texts: BTreeSet<TextHash>,
    /// Lines of ours made from these entries.
    pub(super) entries: BTreeSet<EntryId>,
}

impl RemovedText {
    /// What a tombstone removes, given those of its texts that still apply.
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

    fn holds(&self, passage: &NotePassage) -> bool {
        let mut made_from = passage.evidence.iter();
        let is_ours = passage.keeper == Keeper::Program;
        self.texts.contains(&passage.hash)
            || is_ours && made_from.any(|id| self.entries.contains(id))
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
    let gone: BTreeSet<usize> = passages(ledger, file, bytes)
        .iter()
        .filter(|passage| goes.holds(passage))
        .filter(|passage| passage.keeper == Keeper::Program || owner_lines == OwnerLines::Remove)
        .flat_map(|passage| passage.lines.start..=passage.lines.end)
        .collect();
    if gone.is_empty() {
        return None;
    }
    let text = same_length_text(bytes);
    let gone = with_emptied(&ledger.spelled(file, &text), gone);
    Some(ledger.taken_over(file, bytes, &gone))
}

#[cfg(test)]
#[path = "edit_tests.rs"]
mod tests;
