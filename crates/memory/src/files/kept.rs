//! Files as they were before a tool wrote over them, kept for a while so that the owner can take one back.
//!
//! Bounded by count and age; never changes a file of the workspace.

use std::path::Path;

use base::Timestamp;
use base::disk::{DiskError, replace};

use crate::Workspace;

/// How long they are kept.
const AGE_MAX: chrono::TimeDelta = chrono::TimeDelta::days(30);

/// How many are kept at most.
const COUNT_MAX: usize = 100;

/// The part of a file's name that is kept, in characters: with the time before it, it must be a name.
const NAME_CHARS_MAX: usize = 60;

/// Keeps what a file holds; what is too old or too many goes.
pub(super) fn keep(
    workspace: &Workspace,
    (path, bytes): (&Path, &[u8]),
    now: Timestamp,
) -> Result<(), DiskError> {
    let directory = workspace.overwritten();
    workspace.make_dir(&directory)?;
    let at = now.format("%Y%m%dT%H%M%S%.3fZ");
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name: String = name.chars().take(NAME_CHARS_MAX).collect();
    let disk = workspace.disk();
    replace(disk, &directory.join(format!("{at}-{name}")), bytes)?;
    // Names begin with the time: the oldest stand first.
    let kept = disk.list(&directory)?;
    let n_over = kept.len().saturating_sub(COUNT_MAX);
    for (index, name) in kept.iter().enumerate() {
        let path = directory.join(name);
        let stat = disk.stat(&path)?;
        let modified_at = stat.and_then(|stat| stat.modified_at);
        if index < n_over || modified_at.is_some_and(|at| at + AGE_MAX < now) {
            disk.remove(&path)?;
        }
    }
    Ok(())
}
