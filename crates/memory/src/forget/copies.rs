//! Copies of notes from before lines were forgotten, for an undo.
//!
//! Limited by age and count, so that forgotten text disappears in the end.

use std::path::{Path, PathBuf};

use base::Timestamp;
use base::disk::{DiskError, read_some, replace};
use search::NOTE_BYTES_MAX;

use super::removal::is_removal;
use crate::kept_copies::{self, CopyLimits};
use crate::note::{decode, encode};
use crate::tombstone::Tombstone;
use crate::{TombstoneId, Workspace, WorkspacePath};

pub(super) const LIMITS: CopyLimits = CopyLimits {
    age: chrono::TimeDelta::days(30),
    count: 200,
};

/// A copy of a note from before a forget took lines out of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NoteCopy {
    pub(super) path: WorkspacePath,
    /// Copies of one note count from 1.
    number: usize,
    pub(super) file: PathBuf,
}

/// The copies of a tombstone: of one note, the newest first.
pub(super) fn of(workspace: &Workspace, tombstone: &Tombstone) -> Result<Vec<NoteCopy>, DiskError> {
    let directory = workspace.layout().forgotten();
    let mut copies = Vec::new();
    for name in workspace.disk().list(&directory)? {
        let copy = parsed(&name, tombstone);
        copies.extend(copy.map(|(path, number)| NoteCopy {
            path,
            number,
            file: directory.join(&name),
        }));
    }
    copies.sort_by(|one, other| (&one.path, other.number).cmp(&(&other.path, one.number)));
    Ok(copies)
}

/// The note and the number in the name of a copy.
fn parsed(name: &Path, tombstone: &Tombstone) -> Option<(WorkspacePath, usize)> {
    let rest = name.to_str()?.strip_prefix(tombstone.id.as_str())?;
    let (note, number) = rest.strip_prefix('.')?.split_once('.')?;
    if number == "md" {
        // Earlier versions counted the files of the tombstone.
        let path = tombstone.files.get(note.parse::<usize>().ok()?)?;
        return Some((path.clone(), 0));
    }
    Some((decode(note).parse().ok()?, number.parse().ok()?))
}

/// Keeps a copy, unless the newest one of the note is the same.
pub(super) fn keep(
    workspace: &Workspace,
    (tombstone, path): (&Tombstone, &WorkspacePath),
    bytes: &[u8],
) -> Result<(), DiskError> {
    let copies = of(workspace, tombstone)?;
    let newest = copies.iter().find(|copy| copy.path == *path);
    if let Some(newest) = newest
        && read(workspace, newest)?.as_deref() == Some(bytes)
    {
        return Ok(());
    }
    let number = newest.map_or(1, |newest| newest.number + 1);
    let directory = workspace.layout().forgotten();
    workspace.make_dir(&directory)?;
    let name = name(&tombstone.id, path, number);
    replace(workspace.disk(), &directory.join(name), bytes)
}

fn name(id: &TombstoneId, path: &WorkspacePath, number: usize) -> String {
    format!("{id}.{}.{number}", encode(path.as_str()))
}

pub(super) fn read(workspace: &Workspace, copy: &NoteCopy) -> Result<Option<Vec<u8>>, DiskError> {
    read_some(workspace.disk(), &copy.file, NOTE_BYTES_MAX)
}

/// Deletes copies above the limits. The record of a removal stays until the removal ends.
pub(super) fn prune(workspace: &Workspace, now: Timestamp) -> Result<(), DiskError> {
    let directory = workspace.layout().forgotten();
    let is_copy = |name: &Path| !is_removal(name);
    kept_copies::prune(workspace.disk(), (&directory, is_copy), LIMITS, now)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forget::removal::{begin_removal, begun_removal};
    use crate::workspace_kit::workspace_with;

    #[test]
    fn record_of_unfinished_removal_survives_limits_of_copies() {
        let workspace = workspace_with(&[]);
        let now: Timestamp = "2026-03-02T08:00:00Z".parse().unwrap();
        let id = TombstoneId::of(now, &[], &[]);
        begin_removal(&workspace, &id, b"what is left").unwrap();
        let directory = workspace.layout().forgotten();
        let path: WorkspacePath = "MEMORY.md".parse().unwrap();
        for number in 1..=LIMITS.count + 1 {
            let name = name(&id, &path, number);
            replace(workspace.disk(), &directory.join(name), b"copy").unwrap();
        }
        prune(&workspace, now).unwrap();
        let n_left = workspace.disk().list(&directory).unwrap().len();
        assert_eq!(n_left, LIMITS.count + 1);
        let record = begun_removal(&workspace, &id).unwrap();
        assert_eq!(record.as_deref(), Some(&b"what is left"[..]));
    }
}
