//! A disk whose writes stay in memory, layered over a read-only disk or over nothing.
//!
//! Its writes are lost with its last clone.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use super::port::SYNC;
use super::{Disk, DiskError, FileStat, Lock, LockError, ReadAt};

/// Files in memory, shared by all clones. The disk below is visible and never changed.
#[derive(Debug, Clone, Default)]
pub struct MemoryDisk {
    below: Option<Arc<dyn Disk>>,
    state: Arc<Mutex<MemoryDiskState>>,
}

#[derive(Debug, Default)]
struct MemoryDiskState {
    /// Written files, or `None` for removed ones.
    files: BTreeMap<PathBuf, Option<SharedLayers>>,
    directories: BTreeSet<PathBuf>,
    /// Paths that are links in the disk below, but were replaced or removed in this layer.
    unlinked: BTreeSet<PathBuf>,
    locks: BTreeSet<PathBuf>,
}

/// Shared with open readers, like an inode.
type SharedLayers = Arc<Mutex<Layers>>;

/// The content of a file: the beginning of the file below, then the bytes added in this layer.
#[derive(Debug, Default)]
struct Layers {
    below: Option<Box<dyn ReadAt>>,
    below_len: u64,
    added: Vec<u8>,
}

impl MemoryDisk {
    /// A disk without files.
    pub fn new() -> Self {
        Self::default()
    }

    /// A disk layered over `below`.
    pub fn above(below: Arc<dyn Disk>) -> Self {
        Self {
            below: Some(below),
            state: Arc::default(),
        }
    }

    /// All written files with their content, by path.
    pub fn snapshot(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let files = self.state().files.clone().into_iter();
        let written = files.filter_map(|(path, content)| Some((path, bytes_of(&content?))));
        written.collect()
    }

    /// All directories created in this layer.
    pub fn directories(&self) -> BTreeSet<PathBuf> {
        self.state().directories.clone()
    }

    /// An independent disk with the same files and directories.
    #[must_use]
    pub fn copy(&self) -> Self {
        let copied = Self::from_snapshot(self.snapshot());
        copied.state().directories.extend(self.directories());
        copied
    }

    /// A disk with these files and their directories.
    pub fn from_snapshot(files: BTreeMap<PathBuf, Vec<u8>>) -> Self {
        let mut state = MemoryDiskState::default();
        for (path, added) in files {
            let above = path.ancestors().skip(1).map(Path::to_owned);
            state.directories.extend(above);
            let content = SharedLayers::default();
            layers(&content).added = added;
            state.files.insert(path, Some(content));
        }
        Self {
            below: None,
            state: Arc::new(Mutex::new(state)),
        }
    }

    fn state(&self) -> MutexGuard<'_, MemoryDiskState> {
        crate::locked(&self.state)
    }

    /// The path under which a file is stored in this layer. Several paths can lead to the same file: through links,
    /// or relative to another directory.
    fn key(&self, path: &Path) -> PathBuf {
        let has_unlinked = !self.state().unlinked.is_empty();
        if has_unlinked {
            let name = self.name(path);
            if self.state().unlinked.contains(&name) {
                return name;
            }
        }
        self.resolve(path).unwrap_or_else(|_| path.to_owned())
    }

    /// The path with its parent resolved. Its last component is kept even if it is a link.
    fn name(&self, path: &Path) -> PathBuf {
        let Some((parent, name)) = path.parent().zip(path.file_name()) else {
            return path.to_owned();
        };
        let here = Some(parent).filter(|it| !it.as_os_str().is_empty());
        let here = here.unwrap_or(Path::new("."));
        match self.resolve(here) {
            Ok(above) if above != here => above.join(name),
            Ok(_) | Err(_) => path.to_owned(),
        }
    }

    /// Replaces the file or link at a path with `content`; `None` removes it.
    fn put(&self, path: &Path, content: Option<SharedLayers>) {
        let (name, key) = (self.name(path), self.key(path));
        let mut state = self.state();
        if name != key {
            state.unlinked.insert(name.clone());
        }
        if content.is_none() && self.below.is_none() {
            state.files.remove(&name);
        } else {
            state.files.insert(name, content);
        }
    }

    /// Whether the path exists. A dangling link counts as existing.
    fn is_named(&self, path: &Path) -> Result<bool, DiskError> {
        if self.stat(path)?.is_some() {
            return Ok(true);
        }
        let Some((parent, name)) = path.parent().zip(path.file_name()) else {
            return Ok(false);
        };
        Ok(self.list(parent)?.iter().any(|it| it.as_os_str() == name))
    }

    /// The file in this layer. A file of the disk below is copied up, so that it can be changed.
    fn bring_up(&self, act: &'static str, path: &Path) -> Result<SharedLayers, DiskError> {
        let key = self.key(path);
        if let Some(found) = self.state().files.get(&key) {
            return found.clone().ok_or_else(|| DiskError::not_found(act, path));
        }
        let below = self.below.as_ref();
        let below = below.ok_or_else(|| DiskError::not_found(act, path))?;
        let file = below.open(path)?;
        let layers = Layers {
            below_len: file.len()?,
            below: Some(file),
            added: Vec::new(),
        };
        let content = Arc::new(Mutex::new(layers));
        let mut state = self.state();
        state.files.insert(key, Some(Arc::clone(&content)));
        Ok(content)
    }

    fn is_directory(&self, path: &Path) -> Result<bool, DiskError> {
        let key = self.key(path);
        if self.state().directories.contains(&key) {
            return Ok(true);
        }
        Ok(self.stat_below(path)?.is_some_and(|stat| stat.is_dir))
    }

    fn stat_below(&self, path: &Path) -> Result<Option<FileStat>, DiskError> {
        let below = self.below.as_ref();
        below.map_or(Ok(None), |below| below.stat(path))
    }

    fn make(&self, path: &Path) -> Result<SharedLayers, DiskError> {
        let holder = path.parent().unwrap_or(Path::new(""));
        if !holder.as_os_str().is_empty() && !self.is_directory(holder)? {
            return Err(DiskError::not_found("append to", path));
        }
        let key = self.key(path);
        // Another thread may have created the file by now.
        let mut state = self.state();
        let made = state.files.entry(key).or_default();
        Ok(Arc::clone(made.get_or_insert_default()))
    }
}

impl Disk for MemoryDisk {
    fn open(&self, path: &Path) -> Result<Box<dyn ReadAt>, DiskError> {
        let key = self.key(path);
        let found = self.state().files.get(&key).cloned();
        match (found, &self.below) {
            (Some(Some(content)), _) => Ok(Box::new(MemoryDiskFile { content })),
            (None, Some(below)) => below.open(path),
            (Some(None), _) | (None, None) => Err(DiskError::not_found("open", path)),
        }
    }

    fn stat(&self, path: &Path) -> Result<Option<FileStat>, DiskError> {
        let key = self.key(path);
        let found = self.state().files.get(&key).cloned();
        let stat = |len, is_dir| FileStat {
            len,
            modified_at: None,
            is_dir,
        };
        match found {
            Some(Some(content)) => Ok(Some(stat(layers(&content).len(), false))),
            Some(None) => Ok(None),
            None if self.state().directories.contains(&key) => Ok(Some(stat(0, true))),
            None => self.stat_below(path),
        }
    }

    fn resolve(&self, path: &Path) -> Result<PathBuf, DiskError> {
        let below = self.below.as_ref();
        below.map_or_else(|| Ok(path.to_owned()), |below| below.resolve(path))
    }

    fn is_private(&self, path: &Path) -> Result<bool, DiskError> {
        let key = self.key(path);
        let is_own = self.state().files.contains_key(&key);
        match &self.below {
            Some(below) if !is_own => below.is_private(path),
            Some(_) | None => Ok(true),
        }
    }

    fn list(&self, directory: &Path) -> Result<Vec<PathBuf>, DiskError> {
        let is_new = self.stat_below(directory)?.is_none() && self.is_directory(directory)?;
        let mut names = BTreeSet::new();
        if let Some(below) = self.below.as_ref().filter(|_| !is_new) {
            names.extend(below.list(directory)?);
        }
        let directory = self.key(directory);
        let state = self.state();
        let name_of = |path: &Path| {
            let is_inside = path.parent() == Some(directory.as_path());
            path.file_name().filter(|_| is_inside).map(PathBuf::from)
        };
        names.extend(state.directories.iter().filter_map(|path| name_of(path)));
        for (path, content) in &state.files {
            let Some(name) = name_of(path) else {
                continue;
            };
            if content.is_some() {
                names.insert(name);
            } else {
                names.remove(&name);
            }
        }
        Ok(names.into_iter().collect())
    }

    fn create_dir(&self, directory: &Path) -> Result<(), DiskError> {
        let directory = self.key(directory);
        let missing = directory.ancestors().map(Path::to_owned);
        self.state().directories.extend(missing);
        Ok(())
    }

    fn append(&self, path: &Path, bytes: &[u8]) -> Result<(), DiskError> {
        let content = match self.stat(path)? {
            Some(_) => self.bring_up("append to", path)?,
            None => self.make(path)?,
        };
        layers(&content).added.extend_from_slice(bytes);
        Ok(())
    }

    fn truncate(&self, path: &Path, len: u64) -> Result<(), DiskError> {
        let content = self.bring_up("cut", path)?;
        let mut layers = layers(&content);
        let n_added = len.saturating_sub(layers.below_len);
        layers.below_len = layers.below_len.min(len);
        let n_added = usize::try_from(n_added).unwrap_or(usize::MAX);
        layers.added.resize(n_added, 0);
        Ok(())
    }

    fn sync(&self, path: &Path) -> Result<(), DiskError> {
        match self.stat(path)? {
            Some(_) => Ok(()),
            None => Err(DiskError::not_found(SYNC, path)),
        }
    }

    fn sync_dir(&self, _directory: &Path) -> Result<(), DiskError> {
        Ok(())
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<(), DiskError> {
        let content = self.bring_up("rename to", from)?;
        self.put(to, Some(content));
        self.put(from, None);
        Ok(())
    }

    fn remove(&self, path: &Path) -> Result<(), DiskError> {
        if !self.is_named(path)? {
            return Err(DiskError::not_found("remove", path));
        }
        self.put(path, None);
        Ok(())
    }

    /// Excludes only other users of this disk, because nobody else sees its writes.
    fn try_lock(&self, path: &Path) -> Result<Lock, LockError> {
        if self.stat(path)?.is_none() {
            self.make(path)?;
        }
        let key = self.key(path);
        if self.state().locks.insert(key.clone()) {
            Ok(Lock::new(MemoryLock {
                disk: self.clone(),
                path: key,
            }))
        } else {
            Err(LockError::Held {
                path: path.to_owned(),
                pid: Some(std::process::id()),
            })
        }
    }
}

#[derive(Debug)]
struct MemoryLock {
    disk: MemoryDisk,
    path: PathBuf,
}

impl Drop for MemoryLock {
    fn drop(&mut self) {
        self.disk.state().locks.remove(&self.path);
    }
}

fn layers(content: &SharedLayers) -> MutexGuard<'_, Layers> {
    crate::locked(content)
}

fn bytes_of(content: &SharedLayers) -> Vec<u8> {
    let layers = layers(content);
    let mut bytes = vec![0; usize::try_from(layers.len()).unwrap_or(0)];
    let n_read = layers.read_at(0, &mut bytes).unwrap_or(0);
    bytes.truncate(n_read);
    bytes
}

impl Layers {
    fn len(&self) -> u64 {
        self.below_len + self.added.len() as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, DiskError> {
        let n_below = usize::try_from(self.below_len.saturating_sub(offset)).unwrap_or(usize::MAX);
        let n_below = n_below.min(buffer.len());
        let (low, high) = buffer.split_at_mut(n_below);
        if let Some(below) = self.below.as_ref().filter(|_| !low.is_empty()) {
            let n_read = below.read_at(offset, low)?;
            if n_read < low.len() {
                // The file below was truncated meanwhile, so the added bytes no longer follow.
                return Ok(n_read);
            }
        }
        let start = (offset + n_below as u64).saturating_sub(self.below_len);
        Ok(n_below + self.added.read_at(start, high)?)
    }
}

#[derive(Debug)]
struct MemoryDiskFile {
    content: SharedLayers,
}

impl ReadAt for MemoryDiskFile {
    fn len(&self) -> Result<u64, DiskError> {
        Ok(layers(&self.content).len())
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, DiskError> {
        layers(&self.content).read_at(offset, buffer)
    }
}

#[cfg(test)]
#[path = "memory_disk_tests.rs"]
mod tests;
