//! A bounded cache of bucket objects on the local disk; it evicts the least recently used objects.
//!
//! Every cached object is also in a bucket, so the cache can be deleted.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use base::Disk;
use base::disk::{DiskError, ReadAt, create_dir, read_all};

/// Directory for the machine-local files of open homes.
const OPEN: &str = "open-homes";

/// Directory for cached objects.
const OBJECTS: &str = "objects";

/// A bounded cache, shared by all open homes.
#[derive(Debug)]
pub struct Cache {
    /// The disk of the cache and of open homes.
    pub(crate) disk: Arc<dyn Disk>,
    directory: PathBuf,
    bytes_max: u64,
    state: Mutex<CacheState>,
}

#[derive(Debug, Default)]
struct CacheState {
    held: BTreeMap<String, CachedObject>,
    n_bytes: u64,
    /// A logical clock that each use increments.
    turn: u64,
}

#[derive(Debug, Clone, Copy)]
struct CachedObject {
    n_bytes: u64,
    used_at: u64,
    /// False for an object of an earlier process, because a crash may have truncated it.
    is_checked: bool,
}

impl Cache {
    /// Opens the cache in `directory`, limited to `bytes_max` bytes of objects, and deletes the open-home directories
    /// that a killed process left. Only one process may use the directory.
    ///
    /// # Errors
    ///
    /// [`DiskError`] if the directory cannot be created or read.
    pub fn new(disk: Arc<dyn Disk>, directory: PathBuf, bytes_max: u64) -> Result<Self, DiskError> {
        let open = directory.join(OPEN);
        if disk.stat(&open)?.is_some() {
            disk.remove_tree(&open)?;
        }
        let state = Self::found(&*disk, &directory.join(OBJECTS))?;
        Ok(Self {
            disk,
            directory,
            bytes_max,
            state: Mutex::new(state),
        })
    }

    /// Finds the objects that an earlier process cached.
    fn found(disk: &dyn Disk, objects: &Path) -> Result<CacheState, DiskError> {
        create_dir(disk, objects)?;
        let mut state = CacheState::default();
        for home in disk.list(objects)? {
            for object in disk.list(&objects.join(&home))? {
                let below = home.join(object);
                let stat = disk.stat(&objects.join(&below))?;
                let (Some(stat), Some(name)) = (stat, below.to_str()) else {
                    continue;
                };
                let held = CachedObject {
                    n_bytes: stat.len,
                    used_at: 0,
                    is_checked: false,
                };
                state.n_bytes += stat.len;
                state.held.insert(name.to_owned(), held);
            }
        }
        Ok(state)
    }

    /// Bytes of all cached objects.
    pub fn n_bytes(&self) -> u64 {
        self.state().n_bytes
    }

    /// The directory for the machine-local files of a home.
    pub(crate) fn root_of(&self, home: &str) -> PathBuf {
        self.directory.join(OPEN).join(home)
    }

    /// Opens a cached object. An object from an earlier process is first checked with `is_whole`, and dropped if it
    /// is damaged.
    pub(crate) fn open(
        &self,
        home: &str,
        object: &str,
        is_whole: &dyn Fn(&[u8]) -> bool,
    ) -> Result<Option<Box<dyn ReadAt>>, DiskError> {
        let name = format!("{home}/{object}");
        let path = self.path(&name);
        {
            let mut state = self.state();
            state.turn += 1;
            let turn = state.turn;
            let Some(held) = state.held.get_mut(&name) else {
                return Ok(None);
            };
            held.used_at = turn;
            if held.is_checked {
                drop(state);
                return unless_gone(self.disk.open(&path));
            }
        }
        let Some(bytes) = unless_gone(read_all(&*self.disk, &path, u64::MAX))? else {
            return Ok(None);
        };
        let is_whole = is_whole(&bytes);
        let mut state = self.state();
        if is_whole {
            if let Some(held) = state.held.get_mut(&name) {
                held.is_checked = true;
            }
            drop(state);
            return unless_gone(self.disk.open(&path));
        }
        self.forget(&mut state, &name)?;
        Ok(None)
    }

    /// Caches an object and evicts others to make room. An object larger than the whole cache is not cached.
    pub(crate) fn put(&self, home: &str, object: &str, bytes: &[u8]) -> Result<(), DiskError> {
        let name = format!("{home}/{object}");
        let mut state = self.state();
        if state.held.contains_key(&name) || bytes.len() as u64 > self.bytes_max {
            return Ok(());
        }
        let path = self.path(&name);
        if let Some(directory) = path.parent() {
            self.disk.create_dir(directory)?;
        }
        let temporary = path.with_extension("tmp");
        if self.disk.stat(&temporary)?.is_some() {
            self.disk.remove(&temporary)?;
        }
        self.disk.append(&temporary, bytes)?;
        self.disk.rename(&temporary, &path)?;
        state.turn += 1;
        let held = CachedObject {
            n_bytes: bytes.len() as u64,
            used_at: state.turn,
            is_checked: true,
        };
        state.n_bytes += held.n_bytes;
        state.held.insert(name, held);
        while state.n_bytes > self.bytes_max {
            let oldest = state.held.iter().min_by_key(|(_, held)| held.used_at);
            let Some(oldest) = oldest.map(|(name, _)| name.clone()) else {
                break;
            };
            self.forget(&mut state, &oldest)?;
        }
        Ok(())
    }

    /// Drops the cached copy of an object, if there is one.
    pub(crate) fn drop_object(&self, home: &str, object: &str) -> Result<(), DiskError> {
        self.forget(&mut self.state(), &format!("{home}/{object}"))
    }

    fn forget(&self, state: &mut CacheState, name: &str) -> Result<(), DiskError> {
        if let Some(held) = state.held.remove(name) {
            state.n_bytes = state.n_bytes.saturating_sub(held.n_bytes);
        }
        let path = self.path(name);
        if self.disk.stat(&path)?.is_some() {
            self.disk.remove(&path)?;
        }
        Ok(())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.join(OBJECTS).join(name)
    }

    fn state(&self) -> MutexGuard<'_, CacheState> {
        base::locked(&self.state)
    }
}

/// Maps `NotFound` to `None`, because another thread may evict an object between lookup and read.
fn unless_gone<T>(read: Result<T, DiskError>) -> Result<Option<T>, DiskError> {
    match read {
        Ok(read) => Ok(Some(read)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
