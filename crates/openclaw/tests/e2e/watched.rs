//! A disk that notes when each change begins, so that a test can enumerate the moments that matter.
//!
//! Never fails by itself.

use std::sync::{Arc, Mutex};

use base::disk::{CrashDisk, DiskError, DiskOperation, Hook, HookedDisk, MemoryDisk};

/// A disk that notes at which moment each change begins and how many it takes.
pub(super) type Watched = HookedDisk<CrashDisk, Watch>;

/// Notes at which moment each change of a disk begins and how many it takes.
#[derive(Debug, Clone)]
pub(super) struct Watch {
    disk: CrashDisk,
    changes: Arc<Mutex<Vec<(u64, u64)>>>,
}

/// Watches a disk that begins with the files of `start`.
pub(super) fn watched(start: &MemoryDisk) -> Watched {
    let disk = CrashDisk::new(start, u64::MAX);
    HookedDisk {
        below: disk.clone(),
        hook: Watch {
            disk,
            changes: Arc::default(),
        },
    }
}

impl Watch {
    /// The beginning of each change, and the first, the middle and the last byte of each write.
    pub(super) fn boundaries(&self) -> Vec<u64> {
        let changes = self.changes.lock().unwrap();
        assert!(!changes.is_empty(), "nothing was written");
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

impl Hook for Watch {
    fn before(&self, operation: DiskOperation<'_>) -> Result<(), DiskError> {
        if operation.is_change() {
            let mut changes = self.changes.lock().unwrap();
            changes.push((self.disk.n_moments(), 0));
        }
        Ok(())
    }

    fn after(&self, operation: DiskOperation<'_>) {
        if operation.is_change() {
            let mut changes = self.changes.lock().unwrap();
            let (at, n_moments) = changes.last_mut().expect("a change that has begun");
            *n_moments = self.disk.n_moments() - *at;
        }
    }
}
