//! Deletes the copies kept for undo when text is to be gone for good.
//!
//! Never changes a line of the owner.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use base::disk::{DiskError, read_all, remove};
use base::{EntryId, Timestamp};
use search::NOTE_BYTES_MAX;

use super::model::{ForgetError, ForgetPlan};
use super::notes::passages;
use super::run::{asked_before, finish_asked, forget};
use crate::candidates::{
    MemoryTxnError, holds_what_is_gone, is_forgotten_candidates, is_kept_dreams, redact_candidates,
};
use crate::curated::{ContentBefore, preimages};
use crate::ledger::Ledger;
use crate::tombstone::{OwnerLines, PurgeTargets, TombstoneId, load_tombstones};
use crate::workspace::MEMORY_FILE;
use crate::{Workspace, WorkspacePath};

/// Copies that may still contain the text, because they could not be searched.
#[derive(Debug, Default)]
pub struct StillKept {
    /// Files that cannot be read or are too large.
    pub files: Vec<PathBuf>,
    /// Why the candidates cannot be searched until the owner repairs them.
    pub candidates: Option<MemoryTxnError>,
}

/// Deletes text for good from every copy that the program keeps: preimages of notes and of `MEMORY.md`, files
/// overwritten by tools, quarantine, and candidates. Deletes all copies of any forget that hid one of the entries
/// in `gone`.
///
/// Candidates come first, because forgetting them writes copies that must go too. If the candidates cannot be
/// read, everything else is still deleted.
///
/// # Errors
///
/// [`ForgetError`]; a retry deletes the rest.
pub fn drop_kept(
    workspace: &Workspace,
    gone: &PurgeTargets,
    now: Timestamp,
) -> Result<StillKept, ForgetError> {
    let candidates = redact_candidates(workspace, gone, now);
    let files = drop_kept_files(workspace, gone)?;
    let candidates = match candidates {
        // Only the owner can repair these; delete the rest now.
        Err(error @ (MemoryTxnError::TooNew(..) | MemoryTxnError::Damaged(..))) => Some(error),
        done => {
            done?;
            None
        }
    };
    Ok(StillKept { files, candidates })
}

/// Carries out the plan and keeps no copy, neither of what it removes nor of what an earlier run of the same request
/// removed, which a new plan can no longer find. Lines of the owner stay in their files, hidden.
///
/// Durability: after a crash, a new plan of the same request finishes it.
pub fn forget_for_good(
    workspace: &Workspace,
    plan: &ForgetPlan,
    mut gone: PurgeTargets,
    now: Timestamp,
) -> Result<StillKept, ForgetError> {
    if let Some(asked) = &plan.asked {
        finish_asked(workspace, asked, now)?;
    }
    if !plan.is_empty() {
        let report = forget(workspace, plan, OwnerLines::Leave, now)?;
        gone.forgettings.insert(report.id);
    }
    if let Some(asked) = &plan.asked {
        for done in asked_before(workspace, asked)? {
            gone.texts.extend(done.standing_texts().cloned());
            gone.forgettings.insert(done.id);
        }
    }
    drop_kept(workspace, &gone, now)
}

fn drop_kept_files(
    workspace: &Workspace,
    gone: &PurgeTargets,
) -> Result<Vec<PathBuf>, ForgetError> {
    drop_forgotten(workspace, &gone.entries)?;
    drop_all_of(workspace, &gone.forgettings)?;
    let forgotten = workspace.layout().forgotten();
    let any = |_: &Path| true;
    let ledger = workspace.ledger();
    let says_it = |bytes: &[u8]| says(&ledger, bytes, gone);
    let mut files = Vec::new();
    let mut look = |directory: &Path, is_looked_at: &dyn Fn(&Path) -> bool, goes: IsRemoved<'_>| {
        drop_files(workspace, directory, is_looked_at, goes).map(|left| files.extend(left))
    };
    look(&forgotten, &is_forgotten_candidates, &|bytes| {
        holds_what_is_gone(bytes, gone)
    })?;
    look(&forgotten, &|name| !is_forgotten_candidates(name), &says_it)?;
    look(&workspace.layout().overwritten(), &any, &says_it)?;
    look(&workspace.layout().quarantine(), &any, &says_it)?;
    look(workspace.root(), &is_kept_dreams, &says_it)?;
    redact_preimages(workspace, gone)?;
    Ok(files)
}

/// Deletes the copies of every forget that hid one of these entries.
pub fn drop_forgotten(
    workspace: &Workspace,
    entries: &BTreeSet<EntryId>,
) -> Result<(), ForgetError> {
    let tombstones = load_tombstones(workspace)?;
    let of = tombstones.all().iter().filter(|tombstone| {
        let mut hidden = tombstone.entries.iter();
        hidden.any(|entry| entries.contains(&entry.id))
    });
    let ids = of.map(|tombstone| tombstone.id.clone()).collect();
    Ok(drop_all_of(workspace, &ids)?)
}

fn drop_all_of(workspace: &Workspace, ids: &BTreeSet<TombstoneId>) -> Result<(), DiskError> {
    let disk = workspace.disk();
    let directory = workspace.layout().forgotten();
    let names = disk.list(&directory)?.into_iter();
    for name in names.filter(|name| ids.iter().any(|id| is_kept_of(name, id))) {
        remove(disk, &directory.join(name))?;
    }
    Ok(())
}

/// Whether a file in the `forgotten` directory belongs to this tombstone.
fn is_kept_of(name: &Path, id: &TombstoneId) -> bool {
    let name = name.to_str().unwrap_or_default();
    let end = name.strip_prefix(id.as_str());
    end.is_some_and(|end| end.starts_with('.'))
}

fn is_memory(path: &WorkspacePath) -> bool {
    path.as_str() == MEMORY_FILE
}

fn says(ledger: &Ledger, bytes: &[u8], gone: &PurgeTargets) -> bool {
    let mut found = passages(ledger, MEMORY_FILE, bytes).into_iter();
    gone.holds_words(bytes) || found.any(|passage| gone.texts.contains(&passage.hash))
}

type IsRemoved<'a> = &'a dyn Fn(&[u8]) -> bool;

/// Deletes the files of a directory for which `goes` returns true; returns those that could not be read.
fn drop_files(
    workspace: &Workspace,
    directory: &Path,
    is_looked_at: &dyn Fn(&Path) -> bool,
    goes: IsRemoved<'_>,
) -> Result<Vec<PathBuf>, DiskError> {
    let disk = workspace.disk();
    let mut left = Vec::new();
    let names = disk.list(directory)?.into_iter();
    for name in names.filter(|name| is_looked_at(name)) {
        let path = directory.join(name);
        if disk.stat(&path)?.is_some_and(|stat| !stat.is_dir) {
            match read_all(disk, &path, NOTE_BYTES_MAX) {
                Ok(bytes) if goes(&bytes) => remove(disk, &path)?,
                Ok(_) => {}
                Err(_) => left.push(path),
            }
        }
    }
    Ok(left)
}

/// Drops the content of each preimage that contains the text, and of the newest change if lines were removed from
/// `MEMORY.md` after it: it cannot be undone anyway, and the error then says why.
fn redact_preimages(workspace: &Workspace, gone: &PurgeTargets) -> Result<(), ForgetError> {
    let tombstones = load_tombstones(workspace)?;
    let of = tombstones.all().iter();
    let taken_from =
        of.filter(|it| gone.forgettings.contains(&it.id) && it.files.iter().any(is_memory));
    let taken_at = taken_from.map(|it| it.at).max();
    let (kept, ledger) = (preimages(workspace), workspace.ledger());
    let ids = kept.ids()?;
    for id in &ids {
        let Some(preimage) = kept.read(*id)? else {
            continue;
        };
        let said_it = match &preimage.before {
            ContentBefore::Bytes(bytes) => says(&ledger, bytes, gone),
            ContentBefore::Nothing => false,
            ContentBefore::Redacted => continue,
        };
        let is_before = taken_at.is_some_and(|at| preimage.at <= at);
        if said_it || (is_before && ids.last() == Some(id)) {
            kept.redact(preimage)?;
        }
    }
    Ok(())
}

#[cfg(test)]
#[path = "kept_tests.rs"]
mod tests;
