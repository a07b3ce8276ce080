//! A disk that notes when each change begins, so that a test can enumerate the moments that matter.
//!
//! Never fails by itself.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use base::disk::{CrashDisk, Disk, DiskError, FileStat, Lock, LockError, MemoryDisk, ReadAt};

/// A disk that notes at which moment each change begins and how many it takes.
#[derive(Debug, Clone)]
pub(super) struct Watched {
    pub(super) disk: CrashDisk,
    changes: Arc<Mutex<Vec<(u64, u64)>>>,
}

impl Watched {
    pub(super) fn new(start: &MemoryDisk) -> Self {
        Self {
            disk: CrashDisk::new(start, u64::MAX),
            changes: Arc::default(),
        }
    }

    fn watch<T>(&self, act: impl FnOnce() -> T) -> T {
        let before = self.disk.n_moments();
        let done = act();
        let n_moments = self.disk.n_moments() - before;
        self.changes.lock().unwrap().push((before, n_moments));
        done
    }

    /// The beginning of each change, and the first, the middle and the last byte of each write.
    pub(super) fn boundaries(&self) -> Vec<u64> {
        let changes = self.changes.lock().unwrap();
        let mut moments: Vec<u64> = changes
            .iter()
            .flat_map(|(at, n)| [*at, at + 1, at + n / 2, at + n.saturating_sub(1)])
            .collect();
        moments.sort_unstable();
        moments.dedup();
        // The moments end with the last change.
        moments.retain(|at| *at < self.disk.n_moments());
        moments
    }
}

impl Disk for Watched {
    fn open(&self, path: &Path) -> Result<Box<dyn ReadAt>, DiskError> {
        self.disk.open(path)
    }

    fn stat(&self, path: &Path) -> Result<Option<FileStat>, DiskError> {
        self.disk.stat(path)
    }

    fn list(&self, directory: &Path) -> Result<Vec<PathBuf>, DiskError> {
        self.disk.list(directory)
    }

    fn create_dir(&self, directory: &Path) -> Result<(), DiskError> {
        self.watch(|| self.disk.create_dir(directory))
    }

    fn append(&self, path: &Path, bytes: &[u8]) -> Result<(), DiskError> {
        self.watch(|| self.disk.append(path, bytes))
    }

    fn truncate(&self, path: &Path, len: u64) -> Result<(), DiskError> {
        self.watch(|| self.disk.truncate(path, len))
    }

    fn sync(&self, path: &Path) -> Result<(), DiskError> {
        self.watch(|| self.disk.sync(path))
    }

    fn sync_dir(&self, directory: &Path) -> Result<(), DiskError> {
        self.watch(|| self.disk.sync_dir(directory))
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<(), DiskError> {
        self.watch(|| self.disk.rename(from, to))
    }

    fn remove(&self, path: &Path) -> Result<(), DiskError> {
        self.watch(|| self.disk.remove(path))
    }

    fn try_lock(&self, path: &Path) -> Result<Lock, LockError> {
        self.disk.try_lock(path)
    }
}
