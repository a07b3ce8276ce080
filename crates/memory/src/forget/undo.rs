//! Undoes a forget: puts lines back into the notes, then removes the tombstone.
//!
//! Never overwrites text written since.

use std::collections::BTreeSet;

use base::Timestamp;
use base::disk::remove;
use search::NOTE_BYTES_MAX;

use super::copies::{self, NoteCopy};
use super::model::{ForgetError, UndoReport};
use super::notes::{RemovedText, passages, shortened, without};
use super::put_back::put_back;
use super::removal::end_removal;
use crate::Workspace;
use crate::candidates::lift_over;
use crate::curated::current_value;
use crate::daily_log::{inside, without_note_comment};
use crate::graph::forget_facts;
use crate::ledger::{Ledger, TakenOver};
use crate::tombstone::{
    OwnerLines, TextHash, Tombstone, TombstoneCause, TombstoneId, Tombstones, load_tombstones,
};
use crate::workspace_file::WorkspaceFile;

/// Undoes the forget with this id. A note that is as the forget left it, but for text that was appended since, gets its
/// earlier content byte for byte; any other note gets its lines back next to their neighbours.
///
/// Durability: the tombstone goes last; after a crash, a retry finishes the undo.
///
/// # Errors
///
/// [`ForgetError`]; the tombstone remains.
pub fn undo_forgetting(
    workspace: &Workspace,
    id: &TombstoneId,
    now: Timestamp,
) -> Result<UndoReport, ForgetError> {
    let _lock = workspace.lock_forgetting()?;
    let tombstones = load_tombstones(workspace)?;
    let mut all = tombstones.all().iter();
    let found = all.find(|it| it.id == *id && it.why == TombstoneCause::Forgotten);
    let tombstone = found.ok_or_else(|| ForgetError::Unknown(id.clone()))?;
    let copies = copies::of(workspace, tombstone)?;
    let mut restored = BTreeSet::new();
    for copy in &copies {
        if restore(workspace, tombstone, copy)? {
            restored.insert(copy.path.clone());
        }
    }
    let lost = tombstone
        .files
        .iter()
        .filter(|path| !restored.contains(*path));
    let lost: Vec<_> = lost.cloned().collect();
    let n_waiting = lift_over(workspace, id, now)?;
    forget_facts(workspace, &Tombstones::default())?;
    for copy in copies {
        remove(workspace.disk(), &copy.file)?;
    }
    end_removal(workspace, id)?;
    Ok(UndoReport {
        restored: restored.into_iter().collect(),
        lost,
        n_waiting,
    })
}

/// Puts back the lines that a copy has and the note lacks; `false` if the copy is gone.
fn restore(
    workspace: &Workspace,
    tombstone: &Tombstone,
    copy: &NoteCopy,
) -> Result<bool, ForgetError> {
    let Some(before) = copies::read(workspace, copy)? else {
        return Ok(false);
    };
    let _locks = workspace.lock_notes()?;
    let file = WorkspaceFile::new(workspace, inside(workspace, &copy.path)?, NOTE_BYTES_MAX);
    file.edit(|found| -> Result<_, ForgetError> {
        let note = (copy.path.as_str(), before.as_slice());
        let current = found.unwrap_or_default();
        let Some(after) = restored(&workspace.ledger(), tombstone, note, current) else {
            return Ok(None);
        };
        if !after.records.is_empty() {
            workspace.commit_records(&after.records)?;
        }
        Ok(Some(after.bytes))
    })?;
    Ok(true)
}

/// The content of a note with its lost lines; `None` if it has all of them.
fn restored(
    ledger: &Ledger,
    tombstone: &Tombstone,
    (file, before): (&str, &[u8]),
    current: &[u8],
) -> Option<TakenOver> {
    let texts: BTreeSet<TextHash> = tombstone.texts.iter().cloned().collect();
    let forgotten = |bytes: &[u8]| forgotten(ledger, (file, bytes), &texts);
    if current.starts_with(before) {
        return None;
    }
    let goes = RemovedText::of(tombstone, tombstone.texts.iter());
    let without = |owner_lines| without(ledger, (file, before), &goes, owner_lines);
    // A later sweep takes lines of ours alone.
    let afters = [tombstone.owner_lines, OwnerLines::Leave].map(without);
    let added = afters
        .iter()
        .flatten()
        .find_map(|after| current.strip_prefix(&*after.bytes));
    if let Some(added) = added {
        return Some(TakenOver {
            bytes: [before, added].concat(),
            records: Vec::new(),
        });
    }
    if forgotten(before).is_subset(&forgotten(current)) {
        return None;
    }
    let after = afters.into_iter().flatten().next()?;
    // A line that lost its earlier value stands in `after` and in the note: it goes back whole.
    let lost = shortened(ledger, (file, before), &goes);
    let shortened = short_forms(ledger, (file, before), &lost);
    let before = ledger.taken_over(file, before, &BTreeSet::new());
    let bytes = put_back(
        &before.bytes,
        &without_lines(&after.bytes, &shortened),
        &without_lines(current, &shortened),
    );
    Some(TakenOver {
        bytes,
        records: before.records,
    })
}

/// The texts of lines of a note without the earlier values at their ends.
fn short_forms(
    ledger: &Ledger,
    (file, bytes): (&str, &[u8]),
    lines: &BTreeSet<usize>,
) -> BTreeSet<String> {
    let text = String::from_utf8_lossy(bytes);
    let text = ledger.read(file, &text);
    let lost = lines.iter().filter_map(|number| text.line(*number));
    lost.map(|line| current_value(line.text().trim_end()).to_owned())
        .collect()
}

/// A note without the lines that have these texts.
fn without_lines(bytes: &[u8], texts: &BTreeSet<String>) -> Vec<u8> {
    if texts.is_empty() {
        return bytes.to_vec();
    }
    let is_left = |line: &&[u8]| {
        let line = String::from_utf8_lossy(line);
        !texts.contains(without_note_comment(line.trim_end()).trim_end())
    };
    let lines = bytes.split_inclusive(|byte| *byte == b'\n');
    lines.filter(is_left).collect::<Vec<_>>().concat()
}

/// Those of `texts` that the note contains, anywhere.
fn forgotten(
    ledger: &Ledger,
    (file, bytes): (&str, &[u8]),
    texts: &BTreeSet<TextHash>,
) -> BTreeSet<TextHash> {
    let passages = passages(ledger, file, bytes).into_iter();
    let hashes = passages.map(|passage| passage.hash);
    hashes.filter(|hash| texts.contains(hash)).collect()
}
