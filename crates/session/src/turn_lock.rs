//! The lock of a turn: one at a time in a session, across processes.
//!
//! Never waits: whoever comes second is told who was first.

use std::path::Path;

use base::disk::{self, Disk, DiskError, Lock, LockError};

use crate::SessionName;

/// A turn lock that was not taken.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TurnLockError {
    /// Another turn is under way.
    #[error("another turn is under way")]
    Held {
        /// The process that runs it, where it is known.
        pid: Option<u32>,
    },
    /// The lock file cannot be used.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

/// Takes the turn lock of a session; it is free again when the guard is dropped or its process dies.
pub(crate) fn lock_turn(
    disk: &dyn Disk,
    locks: &Path,
    name: &SessionName,
) -> Result<Lock, TurnLockError> {
    disk::create_dir(disk, locks)?;
    disk.try_lock(&locks.join(format!("{name}.lock")))
        .map_err(|error| match error {
            LockError::Held { pid, .. } => TurnLockError::Held { pid },
            LockError::Disk(error) => TurnLockError::Disk(error),
        })
}
