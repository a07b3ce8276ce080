//! Copies of notes from before lines were forgotten, for undo.
//!
//! Limited by age and count, so that forgotten text disappears in the end.

use std::path::PathBuf;

use base::Timestamp;
use base::disk::{DiskError, read_some, replace};
use search::NOTE_BYTES_MAX;

use crate::{TombstoneId, Workspace};

/// Maximum age of a copy.
const AGE_MAX: chrono::TimeDelta = chrono::TimeDelta::days(30);

/// Maximum number of copies.
const COUNT_MAX: usize = 200;

/// The path of the copy of file number `index` of a tombstone.
pub(super) fn path(workspace: &Workspace, id: &TombstoneId, index: usize) -> PathBuf {
    workspace
        .layout()
        .forgotten()
        .join(format!("{id}.{index}.md"))
}

pub(super) fn keep(
    workspace: &Workspace,
    (id, index): (&TombstoneId, usize),
    bytes: &[u8],
) -> Result<(), DiskError> {
    workspace.make_dir(&workspace.layout().forgotten())?;
    replace(workspace.disk(), &path(workspace, id, index), bytes)
}

pub(super) fn read(
    workspace: &Workspace,
    id: &TombstoneId,
    index: usize,
) -> Result<Option<Vec<u8>>, DiskError> {
    let path = path(workspace, id, index);
    read_some(workspace.disk(), &path, NOTE_BYTES_MAX)
}

/// Deletes a copy.
pub(super) fn drop_one(
    workspace: &Workspace,
    id: &TombstoneId,
    index: usize,
) -> Result<(), DiskError> {
    let path = path(workspace, id, index);
    match workspace.disk().stat(&path)? {
        Some(_) => workspace.disk().remove(&path),
        None => Ok(()),
    }
}

/// Deletes copies above the limits of age and count, oldest first.
pub(super) fn prune(workspace: &Workspace, now: Timestamp) -> Result<(), DiskError> {
    let disk = workspace.disk();
    let directory = workspace.layout().forgotten();
    let mut kept = Vec::new();
    for name in disk.list(&directory)? {
        let path = directory.join(name);
        let stat = disk.stat(&path)?.filter(|stat| !stat.is_dir);
        kept.extend(stat.map(|stat| (stat.modified_at, path)));
    }
    kept.sort();
    let n_over = kept.len().saturating_sub(COUNT_MAX);
    for (index, (modified_at, path)) in kept.iter().enumerate() {
        if index < n_over || modified_at.is_some_and(|at| at + AGE_MAX < now) {
            disk.remove(path)?;
        }
    }
    Ok(())
}
