//! Takes away what was kept so that a change could be taken back, where it is to be gone for good.
//!
//! Never touches a line of the owner.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use base::disk::{DiskError, read_all, remove};
use base::{EntryId, Timestamp};
use search::NOTE_BYTES_MAX;

use super::model::{ForgetError, ForgetPlan};
use super::notes::passages;
use super::run::{asked_before, finish_asked, forget};
use crate::candidates::{
    DeskError, holds_what_is_gone, is_forgotten_candidates, is_kept_dreams, redact_candidates,
};
use crate::curated::{Before, preimages};
use crate::tombstone::{Gone, OwnerLines, TombstoneId, load_tombstones};
use crate::workspace::MEMORY_FILE;
use crate::{Workspace, WorkspacePath};

/// What may still hold it after all that was kept was looked through.
#[derive(Debug, Default)]
pub struct StillKept {
    /// Files that cannot be read, or are too long for it.
    pub files: Vec<PathBuf>,
    /// Why candidates cannot be looked through before the owner has mended them.
    pub candidates: Option<DeskError>,
}

/// Takes away what is to be gone wherever the program keeps it: notes as they were before
/// lines were forgotten, what `MEMORY.md` held before a change, files as they were before a tool wrote over
/// them, what was found broken, and candidates. Of a forgetting that hid one of these entries nothing is
/// kept.
///
/// Candidates come first: what is forgotten of them is kept, too. Where they fail, everything else goes all the same.
///
/// # Errors
///
/// [`ForgetError`]; another call drops the rest.
pub fn drop_kept(
    workspace: &Workspace,
    gone: &Gone,
    now: Timestamp,
) -> Result<StillKept, ForgetError> {
    let candidates = redact_candidates(workspace, gone, now);
    let files = drop_kept_files(workspace, gone)?;
    let candidates = match candidates {
        // The owner has to mend them, and what is to be gone does not wait for that.
        Err(error @ (DeskError::TooNew(..) | DeskError::Damaged(..))) => Some(error),
        done => {
            done?;
            None
        }
    };
    Ok(StillKept { files, candidates })
}

/// Forgets what is planned and keeps no copy of it, and none of what an earlier run of the same request took out: a new
/// plan finds nothing of that. Lines of the owner stay, hidden.
///
/// Durability: after a crash, calling again with what is planned then finishes it.
pub fn forget_for_good(
    workspace: &Workspace,
    plan: &ForgetPlan,
    mut gone: Gone,
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

fn drop_kept_files(workspace: &Workspace, gone: &Gone) -> Result<Vec<PathBuf>, ForgetError> {
    drop_forgotten(workspace, &gone.entries)?;
    drop_all_of(workspace, &gone.forgettings)?;
    let forgotten = workspace.layout().forgotten();
    let any = |_: &Path| true;
    let says_it = |bytes: &[u8]| says(bytes, gone);
    let mut files = Vec::new();
    let mut look = |directory: &Path, is_looked_at: &dyn Fn(&Path) -> bool, goes: Goes<'_>| {
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

/// Takes away what is kept of every forgetting that hid one of these entries.
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

/// Whether a file holds what was forgotten under an id.
fn is_kept_of(name: &Path, id: &TombstoneId) -> bool {
    let name = name.to_str().unwrap_or_default();
    let end = name.strip_prefix(id.as_str());
    end.is_some_and(|end| end.starts_with('.'))
}

fn is_memory(path: &WorkspacePath) -> bool {
    path.as_str() == MEMORY_FILE
}

fn says(bytes: &[u8], gone: &Gone) -> bool {
    let mut found = passages(bytes).into_iter();
    gone.holds_words(bytes) || found.any(|passage| gone.texts.contains(&passage.hash))
}

type Goes<'a> = &'a dyn Fn(&[u8]) -> bool;

/// Removes files of a directory; gives those that cannot be looked through.
fn drop_files(
    workspace: &Workspace,
    directory: &Path,
    is_looked_at: &dyn Fn(&Path) -> bool,
    goes: Goes<'_>,
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

/// Of a change before which `MEMORY.md` said it, nothing is kept but that it was. So it is with the newest
/// change where lines were taken from the file: whoever wants it back is told why that cannot be.
fn redact_preimages(workspace: &Workspace, gone: &Gone) -> Result<(), ForgetError> {
    let tombstones = load_tombstones(workspace)?;
    let of = tombstones.all().iter();
    let taken_from =
        of.filter(|it| gone.forgettings.contains(&it.id) && it.files.iter().any(is_memory));
    let taken_at = taken_from.map(|it| it.at).max();
    let kept = preimages(workspace);
    let ids = kept.ids()?;
    for id in &ids {
        let Some(preimage) = kept.read(*id)? else {
            continue;
        };
        let said_it = match &preimage.before {
            Before::Bytes(bytes) => says(bytes, gone),
            Before::Nothing => false,
            Before::Redacted => continue,
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
