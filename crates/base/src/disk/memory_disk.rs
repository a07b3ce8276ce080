//! A disk in memory: for a session that may not write, and for tests.
//!
//! Forgets everything with its last clone.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::port::SYNC;
use super::{Disk, DiskError, FileStat, Lock, LockError, ReadAt};

/// Files in memory, shared by all clones.
#[derive(Debug, Clone, Default)]
pub struct MemoryDisk {
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    files: BTreeMap<PathBuf, Content>,
    directories: BTreeSet<PathBuf>,
    locks: BTreeSet<PathBuf>,
}

/// Shared with readers that opened the file, as an inode is.
type Content = Arc<Mutex<Vec<u8>>>;

impl MemoryDisk {
    /// A disk without files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Every file with its content, by path.
    pub fn snapshot(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let files = self.with(|state| state.files.clone());
        files
            .into_iter()
            .map(|(path, content)| (path, bytes_of(&content)))
            .collect()
    }

    /// Every directory.
    pub fn directories(&self) -> BTreeSet<PathBuf> {
        self.with(|state| state.directories.clone())
    }

    /// A disk with the same files and directories, apart from this one.
    #[must_use]
    pub fn copy(&self) -> Self {
        let copied = Self::from_snapshot(self.snapshot());
        let directories = self.directories();
        copied.with(|state| state.directories.extend(directories));
        copied
    }

    /// A disk with these files and the directories that hold them.
    pub fn from_snapshot(files: BTreeMap<PathBuf, Vec<u8>>) -> Self {
        let disk = Self::new();
        disk.with(|state| {
            for (path, bytes) in files {
                for directory in path.ancestors().skip(1) {
                    state.directories.insert(directory.to_owned());
                }
                state.files.insert(path, Arc::new(Mutex::new(bytes)));
            }
        });
        disk
    }

    fn with<T>(&self, act: impl FnOnce(&mut State) -> T) -> T {
        act(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn existing(&self, act: &'static str, path: &Path) -> Result<Content, DiskError> {
        let found = self.with(|state| state.files.get(path).cloned());
        found.ok_or_else(|| DiskError::on(act, path)(io::ErrorKind::NotFound.into()))
    }
}

impl Disk for MemoryDisk {
    fn open(&self, path: &Path) -> Result<Box<dyn ReadAt>, DiskError> {
        let content = self.existing("open", path)?;
        Ok(Box::new(MemoryFile { content }))
    }

    fn stat(&self, path: &Path) -> Result<Option<FileStat>, DiskError> {
        Ok(self.with(|state| {
            if state.directories.contains(path) {
                return Some(FileStat {
                    len: 0,
                    modified_at: None,
                    is_dir: true,
                });
            }
            let content = state.files.get(path)?;
            let len = content.lock().unwrap_or_else(PoisonError::into_inner).len() as u64;
            Some(FileStat {
                len,
                modified_at: None,
                is_dir: false,
            })
        }))
    }

    fn list(&self, directory: &Path) -> Result<Vec<PathBuf>, DiskError> {
        Ok(self.with(|state| {
            let paths = state.files.keys().chain(state.directories.iter());
            let inside = paths.filter(|path| path.parent() == Some(directory));
            let names: BTreeSet<PathBuf> = inside
                .filter_map(|path| path.file_name())
                .map(PathBuf::from)
                .collect();
            names.into_iter().collect()
        }))
    }

    fn create_dir(&self, directory: &Path) -> Result<(), DiskError> {
        self.with(|state| {
            state
                .directories
                .extend(directory.ancestors().map(Path::to_owned));
        });
        Ok(())
    }

    fn append(&self, path: &Path, bytes: &[u8]) -> Result<(), DiskError> {
        self.with(|state| {
            let holder = path.parent().unwrap_or(Path::new(""));
            if !holder.as_os_str().is_empty() && !state.directories.contains(holder) {
                return Err(DiskError::on("append to", path)(
                    io::ErrorKind::NotFound.into(),
                ));
            }
            let content = state.files.entry(path.to_owned()).or_default();
            content
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .extend_from_slice(bytes);
            Ok(())
        })
    }

    fn truncate(&self, path: &Path, len: u64) -> Result<(), DiskError> {
        let content = self.existing("cut", path)?;
        let len = usize::try_from(len).unwrap_or(usize::MAX);
        content
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .resize(len, 0);
        Ok(())
    }

    fn sync(&self, path: &Path) -> Result<(), DiskError> {
        self.existing(SYNC, path).map(drop)
    }

    fn sync_dir(&self, _directory: &Path) -> Result<(), DiskError> {
        Ok(())
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<(), DiskError> {
        let content = self.existing("rename to", from)?;
        self.with(|state| {
            state.files.remove(from);
            state.files.insert(to.to_owned(), content);
        });
        Ok(())
    }

    fn remove(&self, path: &Path) -> Result<(), DiskError> {
        self.existing("remove", path)?;
        self.with(|state| state.files.remove(path));
        Ok(())
    }

    fn try_lock(&self, path: &Path) -> Result<Lock, LockError> {
        self.append(path, b"")?;
        if self.with(|state| state.locks.insert(path.to_owned())) {
            Ok(Lock::new(MemoryLock {
                disk: self.clone(),
                path: path.to_owned(),
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
        self.disk.with(|state| state.locks.remove(&self.path));
    }
}

#[derive(Debug)]
struct MemoryFile {
    content: Content,
}

impl ReadAt for MemoryFile {
    fn len(&self) -> Result<u64, DiskError> {
        Ok(self
            .content
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .len() as u64)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, DiskError> {
        let content = self.content.lock().unwrap_or_else(PoisonError::into_inner);
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let available = content.get(start..).unwrap_or_default();
        let n_read = available.len().min(buffer.len());
        if let (Some(to), Some(from)) = (buffer.get_mut(..n_read), available.get(..n_read)) {
            to.copy_from_slice(from);
        }
        Ok(n_read)
    }
}

fn bytes_of(content: &Content) -> Vec<u8> {
    content
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone()
}
