//! Splits a note into passages for forgetting, and removes passages from a note.
//!
//! Pure; every other byte stays unchanged.

use std::collections::BTreeSet;

use base::{EntryId, LineRange};

use super::model::Keeper;
use crate::OwnerLines;
use crate::daily_log::lines::same_length_text;
use crate::daily_log::with_emptied;
use crate::ledger::{Ledger, TakenOver};
use crate::note_text::{NoteLine, NoteText};
use crate::notes::cut_note;
use crate::tombstone::{TextHash, Tombstone};

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
    let text = ledger.read(file, &text);
    let mut found = Vec::new();
    cut_note(&text, &mut |passage| {
        let Some(hash) = TextHash::of(&passage.text) else {
            return;
        };
        let (keeper, evidence) = keeper(&text, passage.lines);
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

    /// Whether a passage goes.
    pub(super) fn takes(&self, passage: &NotePassage, owner_lines: OwnerLines) -> bool {
        let may_go = passage.keeper == Keeper::Program || owner_lines == OwnerLines::Remove;
        may_go && self.holds(passage)
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
        .filter(|passage| goes.takes(passage, owner_lines))
        .flat_map(|passage| passage.lines.start..=passage.lines.end)
        .collect();
    if gone.is_empty() {
        return None;
    }
    let text = same_length_text(bytes);
    let gone = with_emptied(&text, gone);
    Some(ledger.taken_over(file, bytes, &gone))
}

#[cfg(test)]
#[path = "edit_tests.rs"]
mod tests;
