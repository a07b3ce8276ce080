//! The lock of a service: one process serves a home, and one uses a cache.
//!
//! Waits for nobody.

use base::Disk;
use base::disk::{Lock, LockError, create_parent};

use crate::prelude::*;

/// Takes a lock for the life of this process; `held` makes the error if another process has it.
///
/// The system frees the lock when the process ends, even after a crash.
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
