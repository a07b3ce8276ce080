//! The record of a removal for good that has begun, so that a crash in between loses nothing of what is to be removed.
//!
//! Knows nothing of its content.

use std::path::{Path, PathBuf};

use base::disk::{DiskError, read_some, remove, replace};

use crate::{TombstoneId, Workspace};

/// The ending of the name of a record.
const ENDING: &str = "removal";

/// The size limit of a record in bytes.
const BYTES_MAX: u64 = 1024 * 1024 * 1024;

/// Keeps the record of a removal that begins: what the forget with this id still takes out of the home.
///
/// # Errors
///
/// [`DiskError`]; there is then no record.
pub fn begin_removal(
    workspace: &Workspace,
    id: &TombstoneId,
    record: &[u8],
) -> Result<(), DiskError> {
    workspace.make_dir(&workspace.layout().forgotten())?;
    replace(workspace.disk(), &place(workspace, id), record)
}

/// The record of a removal that has begun and not ended.
///
/// # Errors
///
/// [`DiskError`] if it cannot be read.
pub fn begun_removal(
    workspace: &Workspace,
    id: &TombstoneId,
) -> Result<Option<Vec<u8>>, DiskError> {
    read_some(workspace.disk(), &place(workspace, id), BYTES_MAX)
}

/// Deletes the record, once all of the removal is done or the forget is undone.
///
/// # Errors
///
/// [`DiskError`]; the same removal made again ends it.
pub fn end_removal(workspace: &Workspace, id: &TombstoneId) -> Result<(), DiskError> {
    let (disk, place) = (workspace.disk(), place(workspace, id));
    match disk.stat(&place)? {
        Some(_) => remove(disk, &place),
        None => Ok(()),
    }
}

/// Whether a file is the record of a removal.
pub(super) fn is_removal(name: &Path) -> bool {
    name.extension().is_some_and(|ending| ending == ENDING)
}

fn place(workspace: &Workspace, id: &TombstoneId) -> PathBuf {
    let directory = workspace.layout().forgotten();
    directory.join(format!("{id}.{ENDING}"))
}
