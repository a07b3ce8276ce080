//! The locks of a session: one turn at a time and one work in the background, across processes.
//!
//! Never waits: whoever comes second is told who was first.

use std::path::Path;

use base::disk::{self, Disk, DiskError, Lock, LockError};

use crate::SessionName;

/// A lock that was not taken.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TurnLockError {
    /// Another holds it.
    #[error("another holds it")]
    Held {
        /// The process that does, where it is known.
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
    lock(disk, locks, &format!("{name}.lock"))
}

/// Takes the lock of the background of a session; no session has a name that gives this file.
pub(crate) fn lock_background(
    disk: &dyn Disk,
    locks: &Path,
    name: &SessionName,
) -> Result<Lock, TurnLockError> {
    lock(disk, locks, &format!("@background-{name}.lock"))
}

fn lock(disk: &dyn Disk, locks: &Path, file: &str) -> Result<Lock, TurnLockError> {
    disk::create_dir(disk, locks)?;
    Ok(disk.try_lock(&locks.join(file))?)
}

impl From<LockError> for TurnLockError {
    fn from(error: LockError) -> Self {
        match error {
            LockError::Held { pid, .. } => Self::Held { pid },
            LockError::Disk(error) => Self::Disk(error),
        }
    }
}
