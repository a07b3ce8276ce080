//! Carries out a plan: writes a tombstone, then removes the lines.
//!
//! Never overwrites what another program saved in between.

use base::Timestamp;
use base::disk::{ReplaceOutcome, read_all, replace_unchanged};
use search::NOTE_BYTES_MAX;

use super::model::{ForgetError, ForgetPlan, ForgetReport};
use super::notes::{RemovedText, without};
use super::preimage;
use crate::candidates::{MemoryTxnError, forget_candidates};
use crate::curated::keep_lines_by_hand;
use crate::daily_log::inside;
use crate::tombstone::{
    OwnerLines, TextHash, Tombstone, TombstoneCause, TombstoneId, TombstoneProgress, add_tombstone,
    load_tombstones, replace_tombstone,
};
use crate::workspace::MEMORY_FILE;
use crate::{Workspace, WorkspacePath};

/// Attempts to change a file that another program keeps saving.
const TRIES: usize = 5;

/// Carries out a plan.
///
/// Durability: the tombstone is written first and hides everything. After a crash the remaining lines stay hidden
/// until [`finish_asked`], [`finish_forgetting`] or the next call removes them. Candidates that cannot be read do
/// not stop the forget.
///
/// # Errors
///
/// [`ForgetError`]. If it names a file, the text is already hidden.
pub fn forget(
    workspace: &Workspace,
    plan: &ForgetPlan,
    owner_lines: OwnerLines,
    now: Timestamp,
) -> Result<ForgetReport, ForgetError> {
    preimage::prune(workspace, now)?;
    let texts: Vec<TextHash> = plan.texts().into_iter().collect();
    let entries: Vec<_> = plan.entries.iter().map(|it| it.entry.clone()).collect();
    let known = load_tombstones(workspace)?;
    let tombstone = Tombstone {
        id: free_id(TombstoneId::of(now, &texts, &entries), known.all()),
        at: now,
        why: TombstoneCause::Forgotten,
        texts,
        reinstated: Vec::new(),
        evidence: plan.hidden_for_a_part(),
        entries,
        files: plan.files(owner_lines),
        owner_lines,
        progress: TombstoneProgress::Begun,
        asked: plan.asked.clone(),
    };
    add_tombstone(workspace, tombstone.clone())?;
    finish_with_others(workspace, tombstone, now)
}

/// Finishes an interrupted forget of the same request from its stored tombstone; `None` if there is none. A new plan
/// could select other lines, because lines may have moved since.
///
/// # Errors
///
/// [`ForgetError`]; the remaining lines stay hidden.
pub fn finish_asked(
    workspace: &Workspace,
    asked: &TextHash,
    now: Timestamp,
) -> Result<Option<ForgetReport>, ForgetError> {
    let tombstones = load_tombstones(workspace)?;
    let mut begun = tombstones.all().iter();
    let begun = begun
        .find(|it| it.progress == TombstoneProgress::Begun && it.asked.as_ref() == Some(asked))
        .cloned();
    begun
        .map(|tombstone| finish_with_others(workspace, tombstone, now))
        .transpose()
}

/// The tombstones of earlier runs of the same request, oldest first, without undone ones.
pub fn asked_before(
    workspace: &Workspace,
    asked: &TextHash,
) -> Result<Vec<Tombstone>, ForgetError> {
    let tombstones = load_tombstones(workspace)?;
    let same = tombstones.all().iter();
    let same = same.filter(|it| it.asked.as_ref() == Some(asked));
    Ok(same.cloned().collect())
}

/// Finishes one tombstone, then all other interrupted ones.
fn finish_with_others(
    workspace: &Workspace,
    tombstone: Tombstone,
    now: Timestamp,
) -> Result<ForgetReport, ForgetError> {
    let own = finish(workspace, &tombstone, now)?;
    let (others, unfinished) = match finish_begun(workspace, now) {
        Ok(others) => (others, None),
        Err(error) => (None, Some(error)),
    };
    Ok(ForgetReport {
        id: tombstone.id,
        files: tombstone.files,
        owner_lines: tombstone.owner_lines,
        candidates: own.or(others),
        unfinished,
    })
}

/// Removes the lines that interrupted forgets left in the files.
///
/// # Errors
///
/// [`ForgetError`]; the remaining lines stay hidden.
pub fn finish_forgetting(workspace: &Workspace, now: Timestamp) -> Result<(), ForgetError> {
    match finish_begun(workspace, now)? {
        None => Ok(()),
        Some(error) => Err(error.into()),
    }
}

fn finish_begun(
    workspace: &Workspace,
    now: Timestamp,
) -> Result<Option<MemoryTxnError>, ForgetError> {
    let tombstones = load_tombstones(workspace)?;
    let begun = tombstones.all().iter();
    // Try all of them, even if one fails.
    let all: Vec<_> = begun
        .filter(|it| it.progress == TombstoneProgress::Begun)
        .map(|tombstone| finish(workspace, tombstone, now))
        .collect();
    let mut all = all.into_iter();
    all.try_fold(None, |first, one| Ok(first.or(one?)))
}

/// Makes the id unique: the same text may be forgotten twice at the same moment.
fn free_id(id: TombstoneId, known: &[Tombstone]) -> TombstoneId {
    if known.iter().all(|it| it.id != id) {
        return id;
    }
    free_id(TombstoneId::new(base::short_hash(id.as_str())), known)
}

/// Finishes a tombstone; returns why the candidates could not be changed, if so.
fn finish(
    workspace: &Workspace,
    tombstone: &Tombstone,
    now: Timestamp,
) -> Result<Option<MemoryTxnError>, ForgetError> {
    let goes = RemovedText::of(tombstone, tombstone.standing_texts());
    // First, because it waits for a running review, which may still write forgotten text into `MEMORY.md`.
    let candidates = forget_candidates(workspace, now).err();
    let tombstone = &with_curated(workspace, tombstone, &goes)?;
    for (index, path) in tombstone.files.iter().enumerate() {
        let preimage = (&tombstone.id, index);
        take_out(workspace, path, preimage, (&goes, tombstone.owner_lines))?;
    }
    let done = Tombstone {
        progress: TombstoneProgress::Done,
        ..tombstone.clone()
    };
    replace_tombstone(workspace, done)?;
    Ok(candidates)
}

/// Adds `MEMORY.md` to the files of the tombstone if a dream wrote forgotten text there after the plan was made.
/// Later dreams see the tombstone.
fn with_curated(
    workspace: &Workspace,
    tombstone: &Tombstone,
    goes: &RemovedText,
) -> Result<Tombstone, ForgetError> {
    let curated = WorkspacePath::known(MEMORY_FILE);
    let mut tombstone = tombstone.clone();
    // If the file cannot be read, no dream has written it.
    let path = inside(workspace, &curated).ok();
    let found = path.and_then(|path| read_all(workspace.disk(), &path, NOTE_BYTES_MAX).ok());
    let ledger = workspace.ledger();
    let after =
        found.and_then(|found| without(&ledger, (MEMORY_FILE, &found), goes, OwnerLines::Leave));
    if after.is_some() && !tombstone.files.contains(&curated) {
        tombstone.files.push(curated);
        replace_tombstone(workspace, tombstone.clone())?;
    }
    Ok(tombstone)
}

fn take_out(
    workspace: &Workspace,
    path: &WorkspacePath,
    preimage: (&TombstoneId, usize),
    (goes, owner_lines): (&RemovedText, OwnerLines),
) -> Result<(), ForgetError> {
    let _locks = workspace.lock_notes()?;
    let disk = workspace.disk();
    let full = inside(workspace, path)?;
    for _ in 0..TRIES {
        if disk.stat(&full)?.is_none() {
            return Ok(());
        }
        let found = read_all(disk, &full, NOTE_BYTES_MAX)?;
        let ledger = workspace.ledger();
        let Some(after) = without(&ledger, (path.as_str(), &found), goes, owner_lines) else {
            return Ok(());
        };
        preimage::keep(workspace, preimage, &found)?;
        if path.as_str() == MEMORY_FILE {
            let text = String::from_utf8_lossy(&found);
            let kept = keep_lines_by_hand(workspace, &ledger.read(MEMORY_FILE, &text));
            workspace.poisoning(kept)?;
        }
        if !after.records.is_empty() {
            workspace.commit_records(&after.records)?;
        }
        let replaced = replace_unchanged(disk, &full, Some(&found), &after.bytes);
        if workspace.poisoning(replaced)? == ReplaceOutcome::Done {
            return Ok(());
        }
    }
    Err(ForgetError::Changed(path.clone()))
}

#[cfg(test)]
#[path = "run_tests.rs"]
mod tests;
