//! Deletes every copy that is kept for an undo, when text must be removed for good.
//!
//! Never changes a line of the owner.

use std::path::Path;

use base::Timestamp;
use base::disk::{DiskError, remove};

use super::model::{ForgetError, ForgetPlan};
use super::removal::is_removal;
use super::sweep::{forget, sweep};
use crate::Workspace;
use crate::candidates::{
    MemoryTxnError, drop_forgotten_candidates, is_kept_dreams, redact_candidates,
};
use crate::curated::{ContentBefore, Preimage, preimages};
use crate::graph::forget_facts;
use crate::tombstone::{OwnerLines, PurgeTargets, load_tombstones};

/// Carries out the plan, removes forgotten text from the candidates, and deletes every copy that an undo would need:
/// copies of notes, of `MEMORY.md`, of files that tools overwrote, and of damaged bytes. Nothing that was done before
/// can be undone afterwards. Lines of the owner stay in their files, hidden.
///
/// Returns why the candidates cannot be searched until the owner repairs them, if so; all else is deleted then too.
///
/// # Errors
///
/// [`ForgetError`]; a retry deletes the rest.
pub fn purge(
    workspace: &Workspace,
    plan: &ForgetPlan,
    gone: &PurgeTargets,
    now: Timestamp,
) -> Result<Option<MemoryTxnError>, ForgetError> {
    if plan.is_empty() {
        // What an interrupted try has hidden.
        sweep(workspace, now)?;
    } else if let Some(error) = forget(workspace, plan, OwnerLines::Leave, now)?.left {
        return Err(error);
    }
    // Before the copies go, because it writes some.
    let candidates = redact_candidates(workspace, gone, now)
        .and_then(|()| drop_forgotten_candidates(workspace, now));
    forget_facts(workspace, &load_tombstones(workspace)?)?;
    drop_copies(workspace)?;
    match candidates {
        // Only the owner can repair these.
        Err(error) if error.is_unreadable_record() => Ok(Some(error)),
        done => {
            done?;
            Ok(None)
        }
    }
}

/// Deletes everything that an undo of a request to forget needs: the copies of lines, and the candidates and facts of
/// the graph that are only hidden.
///
/// # Errors
///
/// [`ForgetError`]; what is still there is deleted by the next call.
pub fn drop_forgotten(workspace: &Workspace, now: Timestamp) -> Result<(), ForgetError> {
    drop_forgotten_candidates(workspace, now)?;
    forget_facts(workspace, &load_tombstones(workspace)?)?;
    Ok(drop_forgotten_lines(workspace)?)
}

fn drop_forgotten_lines(workspace: &Workspace) -> Result<(), DiskError> {
    // The record of a removal that has begun stays until the removal has ended.
    drop_files(workspace, &workspace.layout().forgotten(), |name| {
        !is_removal(name)
    })
}

fn drop_copies(workspace: &Workspace) -> Result<(), DiskError> {
    let layout = workspace.layout();
    let any = |_: &Path| true;
    drop_forgotten_lines(workspace)?;
    drop_files(workspace, &layout.overwritten(), any)?;
    drop_files(workspace, &layout.quarantine(), any)?;
    drop_files(workspace, workspace.root(), is_kept_dreams)?;
    let kept = preimages(workspace);
    for id in kept.ids()? {
        // What is left of them says why a change cannot be undone.
        let preimage = kept.read(id)?;
        let is_redacted = |own: &Preimage| own.before == ContentBefore::Redacted;
        if let Some(preimage) = preimage.filter(|own| !is_redacted(own)) {
            kept.redact(preimage)?;
        }
    }
    Ok(())
}

fn drop_files(
    workspace: &Workspace,
    directory: &Path,
    goes: impl Fn(&Path) -> bool,
) -> Result<(), DiskError> {
    let disk = workspace.disk();
    for name in disk.list(directory)?.into_iter().filter(|name| goes(name)) {
        let path = directory.join(name);
        if disk.stat(&path)?.is_some_and(|stat| !stat.is_dir) {
            remove(disk, &path)?;
        }
    }
    Ok(())
}

#[cfg(test)]
#[path = "purge_tests.rs"]
mod tests;
