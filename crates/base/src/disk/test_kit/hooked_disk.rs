//! A disk with a hook before and after each operation, to test interleavings.
//!
//! Never used by the program itself.

use std::fmt::{self, Debug};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::disk::{Disk, DiskError, FileStat, Lock, LockError, ReadAt};

/// An operation on a disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiskOperation<'a> {
    /// [`Disk::open`].
    Open(&'a Path),
    /// [`Disk::stat`].
    Stat(&'a Path),
    /// [`Disk::list`].
    List(&'a Path),
    /// [`Disk::create_dir`].
    CreateDir(&'a Path),
    /// [`Disk::append`].
    Append(&'a Path, &'a [u8]),
    /// [`Disk::truncate`].
    Truncate(&'a Path),
    /// [`Disk::sync`].
    Sync(&'a Path),
    /// [`Disk::sync_dir`].
    SyncDir(&'a Path),
    /// [`Disk::rename`], from the first to the second.
    Rename(&'a Path, &'a Path),
    /// [`Disk::remove`].
    Remove(&'a Path),
    /// [`Disk::is_private`].
    IsPrivate(&'a Path),
    /// [`Disk::try_lock`], [`Disk::lock`] or [`Disk::check_lock`].
    Lock(&'a Path),
}

impl DiskOperation<'_> {
    /// Whether the operation changes the disk, or makes changes durable.
    pub fn is_change(&self) -> bool {
        match self {
            Self::CreateDir(_)
            | Self::Append(..)
            | Self::Truncate(_)
            | Self::Sync(_)
            | Self::SyncDir(_)
            | Self::Rename(..)
            | Self::Remove(_) => true,
            Self::Open(_) | Self::Stat(_) | Self::List(_) | Self::IsPrivate(_) | Self::Lock(_) => {
                false
            }
        }
    }
}

/// Callbacks around the operations of a [`HookedDisk`].
pub trait Hook: Send + Sync + Debug {
    /// Called before an operation, which is skipped if this call fails.
    ///
    /// # Errors
    ///
    /// The [`DiskError`] that the operation returns.
    fn before(&self, _operation: DiskOperation<'_>) -> Result<(), DiskError> {
        Ok(())
    }

    /// Called after an operation, whether or not it failed.
    fn after(&self, _operation: DiskOperation<'_>) {}

    /// Called instead of [`Disk::wait`], so that a test can trigger an event and does not wait.
    fn wait(&self, _time: Duration) {}
}

/// A hook that is called before each operation.
pub struct Before<F>(F);

impl<F> Debug for Before<F> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Before")
    }
}

impl<F: Fn(DiskOperation<'_>) -> Result<(), DiskError> + Send + Sync> Hook for Before<F> {
    fn before(&self, operation: DiskOperation<'_>) -> Result<(), DiskError> {
        (self.0)(operation)
    }
}

/// A disk with a hook around its operations.
#[derive(Debug, Clone)]
pub struct HookedDisk<D, H> {
    /// The disk below.
    pub below: D,
    /// The callbacks.
    pub hook: H,
}

impl<D, F: Fn(DiskOperation<'_>) -> Result<(), DiskError>> HookedDisk<D, Before<F>> {
    /// A disk that calls `hook` before each operation, which is skipped if the call fails.
    pub fn before(below: D, hook: F) -> Self {
        let hook = Before(hook);
        Self { below, hook }
    }
}

impl<D: Disk, H: Hook> HookedDisk<D, H> {
    fn around<T, E: From<DiskError>>(
        &self,
        operation: DiskOperation<'_>,
        act: impl FnOnce(&D) -> Result<T, E>,
    ) -> Result<T, E> {
        self.hook.before(operation)?;
        let done = act(&self.below);
        self.hook.after(operation);
        done
    }
}

impl<D: Disk, H: Hook> Disk for HookedDisk<D, H> {
    fn open(&self, path: &Path) -> Result<Box<dyn ReadAt>, DiskError> {
        self.around(DiskOperation::Open(path), |below| below.open(path))
    }

    fn stat(&self, path: &Path) -> Result<Option<FileStat>, DiskError> {
        self.around(DiskOperation::Stat(path), |below| below.stat(path))
    }

    fn resolve(&self, path: &Path) -> Result<PathBuf, DiskError> {
        self.below.resolve(path)
    }

    fn list(&self, directory: &Path) -> Result<Vec<PathBuf>, DiskError> {
        self.around(DiskOperation::List(directory), |below| {
            below.list(directory)
        })
    }

    fn create_dir(&self, directory: &Path) -> Result<(), DiskError> {
        self.around(DiskOperation::CreateDir(directory), |below| {
            below.create_dir(directory)
        })
    }

    fn append(&self, path: &Path, bytes: &[u8]) -> Result<(), DiskError> {
        self.around(DiskOperation::Append(path, bytes), |below| {
            below.append(path, bytes)
        })
    }

    fn truncate(&self, path: &Path, len: u64) -> Result<(), DiskError> {
        self.around(DiskOperation::Truncate(path), |below| {
            below.truncate(path, len)
        })
    }

    fn sync(&self, path: &Path) -> Result<(), DiskError> {
        self.around(DiskOperation::Sync(path), |below| below.sync(path))
    }

    fn sync_dir(&self, directory: &Path) -> Result<(), DiskError> {
        self.around(DiskOperation::SyncDir(directory), |below| {
            below.sync_dir(directory)
        })
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<(), DiskError> {
        self.around(DiskOperation::Rename(from, to), |below| {
            below.rename(from, to)
        })
    }

    fn remove(&self, path: &Path) -> Result<(), DiskError> {
        self.around(DiskOperation::Remove(path), |below| below.remove(path))
    }

    fn is_private(&self, path: &Path) -> Result<bool, DiskError> {
        self.around(DiskOperation::IsPrivate(path), |below| {
            below.is_private(path)
        })
    }

    fn make_private(&self, path: &Path) -> Result<(), DiskError> {
        self.below.make_private(path)
    }

    fn copy_mode(&self, from: &Path, to: &Path) -> Result<(), DiskError> {
        self.below.copy_mode(from, to)
    }

    fn try_lock(&self, path: &Path) -> Result<Lock, LockError> {
        self.around(DiskOperation::Lock(path), |below| below.try_lock(path))
    }

    fn lock(&self, path: &Path, patience: Duration) -> Result<Lock, LockError> {
        self.around(DiskOperation::Lock(path), |below| {
            below.lock(path, patience)
        })
    }

    fn check_lock(&self, path: &Path) -> Result<(), LockError> {
        self.around(DiskOperation::Lock(path), |below| below.check_lock(path))
    }

    fn wait(&self, time: Duration) {
        self.hook.wait(time);
    }
}
