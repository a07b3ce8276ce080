//! Copies of files that are kept for a while, for an undo.
//!
//! Never looks into a copy.

use std::path::Path;

use base::disk::DiskError;
use base::{Disk, Timestamp};
use chrono::TimeDelta;

/// How long copies in a directory are kept, and how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CopyLimits {
    pub(crate) age: TimeDelta,
    pub(crate) count: usize,
}

/// Deletes the copies of a directory above the limits, oldest first. `is_copy` judges a file by its name: other files
/// stay.
pub(crate) fn prune(
    disk: &dyn Disk,
    (directory, is_copy): (&Path, fn(&Path) -> bool),
    limits: CopyLimits,
    now: Timestamp,
) -> Result<(), DiskError> {
    let mut kept = Vec::new();
    for name in disk
        .list(directory)?
        .into_iter()
        .filter(|name| is_copy(name))
    {
        let path = directory.join(name);
        let stat = disk.stat(&path)?.filter(|stat| !stat.is_dir);
        kept.extend(stat.map(|stat| (stat.modified_at, path)));
    }
    kept.sort();
    let n_over = kept.len().saturating_sub(limits.count);
    for (index, (modified_at, path)) in kept.iter().enumerate() {
        if index < n_over || modified_at.is_some_and(|at| at + limits.age < now) {
            disk.remove(path)?;
        }
    }
    Ok(())
}
