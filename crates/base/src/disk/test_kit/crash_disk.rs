//! A disk that loses power at a given moment, for tests that try every possible crash.
//!
//! Never used by the program itself.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use crate::disk::port::{SYNC, SYNC_DIRECTORY};
use crate::disk::{Disk, DiskError, FileStat, Lock, LockError, MemoryDisk, ReadAt};

/// A disk in memory that fails after a given number of moments.
///
/// Each byte of an append is a moment, and so is every other change. After the last moment, the change in progress
/// stops (an append between two bytes) and all further operations fail, as in a power failure.
/// [`after_crash`](Self::after_crash) is the disk that the next start finds.
#[derive(Debug, Clone)]
pub struct CrashDisk {
    live: MemoryDisk,
    state: Arc<Mutex<CrashState>>,
}

#[derive(Debug)]
struct CrashState {
    n_moments: u64,
    crash_at: u64,
    failure: io::ErrorKind,
    /// The moment at which each change ended.
    ends: Vec<u64>,
    /// The files that survive a crash: synced content under synced names.
    durable: BTreeMap<PathBuf, Vec<u8>>,
    /// Directories with synced names, and those that existed at the start.
    directories: BTreeSet<PathBuf>,
    /// Synced content by the current name of its file.
    synced: BTreeMap<PathBuf, Vec<u8>>,
    /// Names that another file took over since their directory was last synced.
    renamed: BTreeSet<PathBuf>,
}

/// What happens to unsynced bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unsynced {
    /// They reached the disk anyway.
    Kept,
    /// They are lost.
    Lost,
}

/// The state after an act during which the power failed.
#[derive(Debug)]
pub struct Crash<T> {
    /// The result of the act.
    pub done: T,
    /// The disk that the next start finds.
    pub found: MemoryDisk,
    /// The moment of the power failure, and what happened to unsynced bytes.
    pub when: String,
    /// Whether the act had ended before the power failed.
    is_end: bool,
}

impl<T, E> Crash<Result<T, E>> {
    /// Checks that the act did not succeed unless it had ended. Otherwise it ignored a failure.
    ///
    /// # Panics
    ///
    /// If it did succeed.
    #[must_use]
    pub fn reported(self) -> Self {
        assert!(self.done.is_err() || self.is_end, "{}", self.when);
        self
    }
}

impl CrashDisk {
    /// Repeats an act on the files of `start` once for each of its moments, including its end, and lets the power fail
    /// at that moment.
    pub fn crashes<T>(
        start: &MemoryDisk,
        act: impl Fn(CrashDisk) -> T,
    ) -> impl Iterator<Item = Crash<T>> {
        let whole = Self::new(start, u64::MAX);
        act(whole.clone());
        let n_moments = whole.n_moments();
        Self::crashes_at(start, (0..=n_moments, n_moments), act)
    }

    /// Like [`crashes`](Self::crashes), but only at the [`boundaries`](Self::boundaries) of the changes.
    pub fn crashes_between<T>(
        start: &MemoryDisk,
        act: impl Fn(CrashDisk) -> T,
    ) -> impl Iterator<Item = Crash<T>> {
        let whole = Self::new(start, u64::MAX);
        act(whole.clone());
        Self::crashes_at(start, (whole.boundaries(), whole.n_moments()), act)
    }

    fn crashes_at<T>(
        start: &MemoryDisk,
        (moments, n_moments): (impl IntoIterator<Item = u64>, u64),
        act: impl Fn(CrashDisk) -> T,
    ) -> impl Iterator<Item = Crash<T>> {
        let both = |moment| [Unsynced::Kept, Unsynced::Lost].map(|unsynced| (moment, unsynced));
        let moments = moments.into_iter().flat_map(both);
        moments.map(move |(moment, unsynced)| {
            let disk = Self::new(start, moment);
            let done = act(disk.clone());
            Crash {
                done,
                is_end: moment >= n_moments,
                found: disk.after_crash(unsynced),
                when: format!("{moment} {unsynced:?}"),
            }
        })
    }

    /// A disk with the files of `start` that crashes after `n_moments`.
    pub fn new(start: &MemoryDisk, n_moments: u64) -> Self {
        Self::failing(start, n_moments, io::ErrorKind::Other)
    }

    /// A disk that is full after `n_moments`: changes fail, but reads work.
    pub fn full(start: &MemoryDisk, n_moments: u64) -> Self {
        Self::failing(start, n_moments, io::ErrorKind::StorageFull)
    }

    fn failing(start: &MemoryDisk, crash_at: u64, failure: io::ErrorKind) -> Self {
        let durable = start.snapshot();
        Self {
            live: start.copy(),
            state: Arc::new(Mutex::new(CrashState {
                n_moments: 0,
                crash_at,
                failure,
                ends: Vec::new(),
                directories: start.directories(),
                synced: durable.clone(),
                durable,
                renamed: BTreeSet::new(),
            })),
        }
    }

    /// Number of moments used so far. After a run without a crash, it is the number of possible crashes.
    pub fn n_moments(&self) -> u64 {
        self.with(|state| state.n_moments)
    }

    /// The beginning of each change so far, and the first, the middle and the last byte of each write.
    ///
    /// # Panics
    ///
    /// If nothing was written.
    pub fn boundaries(&self) -> BTreeSet<u64> {
        let ends = self.with(|state| state.ends.clone());
        assert!(!ends.is_empty(), "nothing was written");
        let begins = std::iter::once(0).chain(ends.iter().copied());
        let around = |(at, end): (u64, &u64)| [at, at + 1, at.midpoint(*end), *end - 1];
        let moments = begins.zip(&ends).flat_map(around);
        // The last change ends with the last moment.
        moments.filter(|at| *at < self.n_moments()).collect()
    }

    /// Whether all moments are used up.
    fn has_crashed(&self) -> bool {
        self.with(|state| state.n_moments >= state.crash_at)
    }

    /// The disk that the next start finds.
    pub fn after_crash(&self, unsynced: Unsynced) -> MemoryDisk {
        match unsynced {
            Unsynced::Kept => MemoryDisk::from_snapshot(self.live.snapshot()),
            Unsynced::Lost => self.with(|state| {
                let mut durable = state.durable.clone();
                durable.retain(|path, _| {
                    let mut above = path.ancestors().skip(1);
                    above.all(|it| it.parent().is_none() || state.directories.contains(it))
                });
                MemoryDisk::from_snapshot(durable)
            }),
        }
    }

    fn with<T>(&self, act: impl FnOnce(&mut CrashState) -> T) -> T {
        act(&mut crate::locked(&self.state))
    }

    /// Uses up to `wanted` moments; returns how many were available.
    fn spend(&self, wanted: u64) -> u64 {
        self.with(|state| {
            let granted = wanted.min(state.crash_at.saturating_sub(state.n_moments));
            state.n_moments += granted;
            state.ends.push(state.n_moments);
            granted
        })
    }

    fn failure(&self, act: &'static str, path: &Path) -> DiskError {
        DiskError::on(act, path)(self.with(|state| state.failure).into())
    }

    /// Uses one moment, or fails.
    fn change(&self, act: &'static str, path: &Path) -> Result<(), DiskError> {
        if self.spend(1) == 1 {
            Ok(())
        } else {
            Err(self.failure(act, path))
        }
    }

    /// Fails after a power failure. On a full disk, reads still work.
    fn alive(&self, act: &'static str, path: &Path) -> Result<(), DiskError> {
        let full = self.with(|state| state.failure == io::ErrorKind::StorageFull);
        if full || !self.has_crashed() {
            Ok(())
        } else {
            Err(self.failure(act, path))
        }
    }
}

impl Disk for CrashDisk {
    fn open(&self, path: &Path) -> Result<Box<dyn ReadAt>, DiskError> {
        self.alive("open", path)?;
        self.live.open(path)
    }

    fn stat(&self, path: &Path) -> Result<Option<FileStat>, DiskError> {
        self.alive("look at", path)?;
        self.live.stat(path)
    }

    fn list(&self, directory: &Path) -> Result<Vec<PathBuf>, DiskError> {
        self.alive("list", directory)?;
        self.live.list(directory)
    }

    fn create_dir(&self, directory: &Path) -> Result<(), DiskError> {
        self.change("make directory", directory)?;
        self.live.create_dir(directory)
    }

    fn append(&self, path: &Path, bytes: &[u8]) -> Result<(), DiskError> {
        let wanted = (bytes.len() as u64).max(1);
        let granted = self.spend(wanted);
        let n_bytes = usize::try_from(granted).unwrap_or(usize::MAX);
        if granted > 0 {
            let granted = bytes.get(..n_bytes).unwrap_or(bytes);
            self.live.append(path, granted)?;
        }
        if granted == wanted {
            Ok(())
        } else {
            Err(self.failure("append to", path))
        }
    }

    fn truncate(&self, path: &Path, len: u64) -> Result<(), DiskError> {
        self.change("cut", path)?;
        self.live.truncate(path, len)
    }

    fn sync(&self, path: &Path) -> Result<(), DiskError> {
        self.change(SYNC, path)?;
        self.live.sync(path)?;
        let content = self.live.snapshot().remove(path).unwrap_or_default();
        self.with(|state| {
            if let (Some(durable), false) =
                (state.durable.get_mut(path), state.renamed.contains(path))
            {
                durable.clone_from(&content);
            }
            state.synced.insert(path.to_owned(), content);
        });
        Ok(())
    }

    fn sync_dir(&self, directory: &Path) -> Result<(), DiskError> {
        self.change(SYNC_DIRECTORY, directory)?;
        let live = self.live.snapshot();
        let inside = |path: &Path| path.parent() == Some(directory);
        let directories = self.live.directories();
        self.with(|state| {
            state
                .directories
                .extend(directories.into_iter().filter(|path| inside(path)));
            state
                .durable
                .retain(|path, _| !inside(path) || live.contains_key(path));
            for path in live.into_keys().filter(|path| inside(path)) {
                if state.renamed.remove(&path) || !state.durable.contains_key(&path) {
                    // A file with a synced name but no synced content is empty after the crash.
                    let content = state.synced.get(&path).cloned().unwrap_or_default();
                    state.durable.insert(path, content);
                }
            }
        });
        Ok(())
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<(), DiskError> {
        self.change("rename to", to)?;
        self.live.rename(from, to)?;
        self.with(|state| {
            let content = state.synced.remove(from).unwrap_or_default();
            state.synced.insert(to.to_owned(), content);
            state.renamed.insert(to.to_owned());
        });
        Ok(())
    }

    fn remove(&self, path: &Path) -> Result<(), DiskError> {
        self.change("remove", path)?;
        self.live.remove(path)
    }

    fn try_lock(&self, path: &Path) -> Result<Lock, LockError> {
        self.alive("lock", path)?;
        self.live.try_lock(path)
    }
}
