//! Locks for services: only one process serves a home, and only one uses a cache.
//!
//! Never waits.

use base::Disk;
use base::disk::{Lock, LockError, create_parent};

use crate::prelude::*;

/// Takes a lock for the life of this process. `held` makes the error if another process has the lock.
///
/// The operating system releases the lock when the process ends, even after a crash.
pub fn exclusive_lock(
    disk: &dyn Disk,
    lock: &Path,
    held: impl FnOnce(Option<u32>) -> CliError,
) -> Result<Lock> {
    create_parent(disk, lock)?;
    disk.try_lock(lock).map_err(|error| match error {
        LockError::Held { pid, .. } => held(pid),
        error @ LockError::Disk(_) => error.into(),
    })
}
