//! Carries out a plan: a tombstone first, then the lines.
//!
//! Never overwrites what was saved in between.

use base::Timestamp;
use base::disk::{Replaced, read_all, replace_unchanged};
use search::NOTE_BYTES_MAX;

use super::model::{ForgetError, ForgetPlan, ForgetReport};
use super::notes::{Goes, without};
use super::preimage;
use crate::candidates::{DeskError, forget_candidates};
use crate::curated::keep_records;
use crate::daily_log::inside;
use crate::tombstone::{
    OwnerLines, Progress, TextHash, Tombstone, TombstoneId, Why, add_tombstone, load_tombstones,
    replace_tombstone,
};
use crate::workspace::MEMORY_FILE;
use crate::{Workspace, WorkspacePath};

/// How often a file that is saved again is tried.
const TRIES: usize = 5;

/// Forgets what is planned.
///
/// Durability: the tombstone stands first, and from then on everything is hidden. A crash while lines
/// are taken out leaves them hidden, and [`finish_asked`], the next call or [`finish_forgetting`] takes out the rest.
/// Candidates that cannot be read keep nothing from being forgotten.
///
/// # Errors
///
/// [`ForgetError`]. Where it names a file, what was to be forgotten is hidden already.
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
        why: Why::Forgotten,
        texts,
        reinstated: Vec::new(),
        evidence: plan.hidden_for_a_part(),
        entries,
        files: plan.files(owner_lines),
        owner_lines,
        progress: Progress::Begun,
        asked: plan.asked.clone(),
    };
    add_tombstone(workspace, tombstone.clone())?;
    finish_with_others(workspace, tombstone, now)
}

/// Takes out what the same request left standing when it was broken off, exactly as it was planned then: lines may
/// have moved since, so that a new plan could mean others. `None` where it left nothing.
///
/// # Errors
///
/// [`ForgetError`]; what is left stays hidden.
pub fn finish_asked(
    workspace: &Workspace,
    asked: &TextHash,
    now: Timestamp,
) -> Result<Option<ForgetReport>, ForgetError> {
    let tombstones = load_tombstones(workspace)?;
    let mut begun = tombstones.all().iter();
    let begun = begun
        .find(|it| it.progress == Progress::Begun && it.asked.as_ref() == Some(asked))
        .cloned();
    begun
        .map(|tombstone| finish_with_others(workspace, tombstone, now))
        .transpose()
}

/// What the same request has forgotten, the oldest first, without what was taken back since.
pub fn asked_before(
    workspace: &Workspace,
    asked: &TextHash,
) -> Result<Vec<Tombstone>, ForgetError> {
    let tombstones = load_tombstones(workspace)?;
    let same = tombstones.all().iter();
    let same = same.filter(|it| it.asked.as_ref() == Some(asked));
    Ok(same.cloned().collect())
}

/// Finishes one tombstone, and what else was broken off.
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

/// Takes out the lines that a crash left standing.
///
/// # Errors
///
/// [`ForgetError`]; what is left stays hidden.
pub fn finish_forgetting(workspace: &Workspace, now: Timestamp) -> Result<(), ForgetError> {
    match finish_begun(workspace, now)? {
        None => Ok(()),
        Some(error) => Err(error.into()),
    }
}

fn finish_begun(workspace: &Workspace, now: Timestamp) -> Result<Option<DeskError>, ForgetError> {
    let tombstones = load_tombstones(workspace)?;
    let begun = tombstones.all().iter();
    // One that cannot be finished keeps no other waiting.
    let all: Vec<_> = begun
        .filter(|it| it.progress == Progress::Begun)
        .map(|tombstone| finish(workspace, tombstone, now))
        .collect();
    let mut all = all.into_iter();
    all.try_fold(None, |first, one| Ok(first.or(one?)))
}

/// The same thing may be forgotten twice in the same moment.
fn free_id(id: TombstoneId, known: &[Tombstone]) -> TombstoneId {
    if known.iter().all(|it| it.id != id) {
        return id;
    }
    free_id(TombstoneId::new(base::short_hash(id.as_str())), known)
}

/// Gives why candidates could not be taken out.
fn finish(
    workspace: &Workspace,
    tombstone: &Tombstone,
    now: Timestamp,
) -> Result<Option<DeskError>, ForgetError> {
    let goes = Goes::of(tombstone, tombstone.standing_texts());
    // First, for it waits for a review under way, which may still write what goes into `MEMORY.md`.
    let candidates = forget_candidates(workspace, now).err();
    let tombstone = &with_curated(workspace, tombstone, &goes)?;
    for (index, path) in tombstone.files.iter().enumerate() {
        let preimage = (&tombstone.id, index);
        take_out(workspace, path, preimage, (&goes, tombstone.owner_lines))?;
    }
    let done = Tombstone {
        progress: Progress::Done,
        ..tombstone.clone()
    };
    replace_tombstone(workspace, done)?;
    Ok(candidates)
}

/// The tombstone with `MEMORY.md` among its files, where a dream that ran while this was planned wrote there what goes:
/// a dream that comes later sees the tombstone.
fn with_curated(
    workspace: &Workspace,
    tombstone: &Tombstone,
    goes: &Goes,
) -> Result<Tombstone, ForgetError> {
    let curated = WorkspacePath::known(MEMORY_FILE);
    let mut tombstone = tombstone.clone();
    // One that cannot be read is written by nobody.
    let path = inside(workspace, &curated).ok();
    let found = path.and_then(|path| read_all(workspace.disk(), &path, NOTE_BYTES_MAX).ok());
    let after = found.and_then(|found| without(&found, goes, OwnerLines::Leave));
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
    (goes, owner_lines): (&Goes, OwnerLines),
) -> Result<(), ForgetError> {
    let _locks = workspace.lock_notes()?;
    let disk = workspace.disk();
    let full = inside(workspace, path)?;
    for _ in 0..TRIES {
        if disk.stat(&full)?.is_none() {
            return Ok(());
        }
        let found = read_all(disk, &full, NOTE_BYTES_MAX)?;
        let Some(after) = without(&found, goes, owner_lines) else {
            return Ok(());
        };
        preimage::keep(workspace, preimage, &found)?;
        let replaced = replace_unchanged(disk, &full, Some(&found), &after);
        if workspace.poisoning(replaced)? == Replaced::Done {
            return keep_records_of(workspace, path, &after);
        }
    }
    Err(ForgetError::Changed(path.clone()))
}

/// What was forgotten is not kept in the copy either, and what was taken back is.
pub(super) fn keep_records_of(
    workspace: &Workspace,
    path: &WorkspacePath,
    bytes: &[u8],
) -> Result<(), ForgetError> {
    if path.as_str() == MEMORY_FILE {
        let text = String::from_utf8_lossy(bytes);
        workspace.poisoning(keep_records(workspace, &[&text]))?;
    }
    Ok(())
}

#[cfg(test)]
#[path = "run_tests.rs"]
mod tests;
