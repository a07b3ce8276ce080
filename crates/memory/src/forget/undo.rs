//! Undoes a forget: puts lines back into the notes, then removes the tombstone.
//!
//! Never overwrites text written since.

use std::collections::BTreeSet;

use base::Timestamp;
use base::disk::remove;
use search::NOTE_BYTES_MAX;

use super::copies::{self, NoteCopy};
use super::model::{ForgetError, UndoReport};
use super::notes::{RemovedText, passages, without};
use super::put_back::put_back;
use crate::Workspace;
use crate::candidates::lift_over;
use crate::daily_log::inside;
use crate::ledger::{Ledger, TakenOver};
use crate::tombstone::{
    OwnerLines, TextHash, Tombstone, TombstoneCause, TombstoneError, TombstoneId, load_tombstones,
};
use crate::workspace_file::{EditOutcome, WorkspaceFile};

/// Undoes the forget with this id. A note that is as the forget left it, but for text that was appended since, gets its
/// earlier content to the byte; another one gets its lines back where their neighbours stand.
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
    let tombstone = found.ok_or_else(|| TombstoneError::Unknown(id.clone()))?;
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
    for copy in copies {
        remove(workspace.disk(), &copy.file)?;
    }
    Ok(UndoReport {
        restored: restored.into_iter().collect(),
        lost,
        n_waiting,
    })
}

/// Puts back what a copy has and the note lacks; `false` if the copy is gone.
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
    let outcome = file.edit(|found| -> Result<_, ForgetError> {
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
    match outcome {
        EditOutcome::Done => Ok(true),
        EditOutcome::Contended => Err(ForgetError::Changed(copy.path.clone())),
    }
}

/// The content of a note with what it lost; `None` if it has all of it.
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
    let before = ledger.taken_over(file, before, &BTreeSet::new());
    Some(TakenOver {
        bytes: put_back(&before.bytes, &after.bytes, current),
        records: before.records,
    })
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
