//! Undoes a forget: restores the files to the byte, then removes the tombstone.
//!
//! Never overwrites text written since.

use std::collections::BTreeSet;

use base::Timestamp;
use base::disk::{ReplaceOutcome, read_all, remove, replace_unchanged};
use search::NOTE_BYTES_MAX;

use super::model::{ForgetError, UndoReport};
use super::notes::{RemovedText, passages, without};
use super::preimage;
use super::run::finish_forgetting;
use crate::Workspace;
use crate::candidates::{Access, MemoryTxn, check_kept, forgotten_candidates};
use crate::daily_log::inside;
use crate::ledger::Ledger;
use crate::tombstone::{
    TextHash, Tombstone, TombstoneCause, TombstoneError, TombstoneId, lift_tombstone,
    load_tombstones,
};

/// How to restore the lines of a file.
#[derive(Debug, PartialEq, Eq)]
enum Restoring {
    /// The file already has them.
    Holds,
    /// Write this content.
    Write(Vec<u8>),
    /// The file was edited since and cannot be restored.
    Changed,
}

/// Undoes the forget with this id. Text appended to a file since is preserved. If any file was edited in another way,
/// that file and its copy stay unchanged and the tombstone remains; the owner must put the lines back and retry.
///
/// Durability: after a crash, a retry finishes it.
///
/// # Errors
///
/// [`ForgetError`]; the tombstone remains.
pub fn undo_forgetting(
    workspace: &Workspace,
    id: &TombstoneId,
    now: Timestamp,
) -> Result<UndoReport, ForgetError> {
    finish_forgetting(workspace, now)?;
    let tombstones = load_tombstones(workspace)?;
    let mut all = tombstones.all().iter();
    let found = all.find(|it| it.id == *id && it.why == TombstoneCause::Forgotten);
    let tombstone = found.ok_or_else(|| TombstoneError::Unknown(id.clone()))?;
    check_kept(workspace, id)?;
    let mut report = UndoReport::default();
    for index in 0..tombstone.files.len() {
        restore(workspace, tombstone, index, &mut report)?;
    }
    if !report.changed.is_empty() {
        return Ok(report);
    }
    let kept = forgotten_candidates(workspace, id);
    if workspace.disk().stat(&kept)?.is_some() {
        // Hold the desk until the tombstone is lifted, so that no other process removes them again.
        let mut desk = MemoryTxn::open(workspace, now, Access::Write)?;
        report.n_waiting = desk.restore_forgotten(id)?;
        lift_tombstone(workspace, id)?;
        drop(desk);
        remove(workspace.disk(), &kept)?;
    } else {
        lift_tombstone(workspace, id)?;
    }
    for (index, path) in tombstone.files.iter().enumerate() {
        if report.restored.contains(path) {
            preimage::drop_one(workspace, id, index)?;
        }
    }
    Ok(report)
}

fn restore(
    workspace: &Workspace,
    tombstone: &Tombstone,
    index: usize,
    report: &mut UndoReport,
) -> Result<(), ForgetError> {
    let Some(path) = tombstone.files.get(index) else {
        return Ok(());
    };
    let Some(before) = preimage::read(workspace, &tombstone.id, index)? else {
        report.lost.push(path.clone());
        return Ok(());
    };
    let _locks = workspace.lock_notes()?;
    let disk = workspace.disk();
    let full = inside(workspace, path)?;
    let found = match disk.stat(&full)? {
        Some(_) => Some(read_all(disk, &full, NOTE_BYTES_MAX)?),
        None => None,
    };
    let current = found.as_deref().unwrap_or_default();
    let texts: BTreeSet<TextHash> = tombstone.texts.iter().cloned().collect();
    let goes = RemovedText::of(tombstone, tombstone.texts.iter());
    let ledger = workspace.ledger();
    let forgotten = |bytes: &[u8]| forgotten(&ledger, (path.as_str(), bytes), &texts);
    let after = without(
        &ledger,
        (path.as_str(), &before),
        &goes,
        tombstone.owner_lines,
    );
    let after = after.map(|after| after.bytes).unwrap_or_default();
    match restoring(&before, &after, current, &forgotten) {
        Restoring::Holds => report.restored.push(path.clone()),
        Restoring::Write(bytes) => {
            let replaced = replace_unchanged(disk, &full, found.as_deref(), &bytes);
            if workspace.poisoning(replaced)? == ReplaceOutcome::Changed {
                return Err(ForgetError::Changed(path.clone()));
            }
            report.restored.push(path.clone());
        }
        Restoring::Changed => {
            let kept = preimage::path(workspace, &tombstone.id, index);
            report.changed.push((path.clone(), kept));
        }
    }
    Ok(())
}

fn restoring(
    before: &[u8],
    after: &[u8],
    current: &[u8],
    forgotten: &dyn Fn(&[u8]) -> BTreeSet<TextHash>,
) -> Restoring {
    if current.starts_with(before) {
        return Restoring::Holds;
    }
    match current.strip_prefix(after) {
        Some(added) => Restoring::Write([before, added].concat()),
        None if forgotten(before).is_subset(&forgotten(current)) => Restoring::Holds,
        None => Restoring::Changed,
    }
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
