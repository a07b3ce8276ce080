//! A read-only disk limited to the old home: links that lead out of it do not exist.
//!
//! Never writes; records what it left out.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use std::{io, mem};

use base::Disk;
use base::disk::{DiskError, FileStat, Lock, LockError, ReadAt, create_parent, read_all, replace};
use cli::error::NoFile;

use crate::commands::imported::NoteTaken;

pub(super) const FILE_BYTES_MAX: u64 = 1024 * 1024 * 1024;

/// A read-only disk that holds nothing but one directory.
#[derive(Debug, Clone)]
pub(super) struct ScopedDisk {
    disk: Arc<dyn Disk>,
    root: PathBuf,
    resolved: PathBuf,
    left_out: Arc<Mutex<BTreeMap<PathBuf, &'static str>>>,
}

impl ScopedDisk {
    pub(super) fn new(disk: Arc<dyn Disk>, root: &Path) -> Result<Self, DiskError> {
        Ok(Self {
            resolved: disk.resolve(root)?,
            root: root.to_owned(),
            disk,
            left_out: Arc::default(),
        })
    }

    /// Requested paths that were left out.
    pub(super) fn take_left_out(&self) -> Vec<NoteTaken> {
        let mut left_out = base::locked(&self.left_out);
        let left_out = mem::take(&mut *left_out).into_iter();
        let note = |(path, state): (PathBuf, &'static str)| {
            let path = path.strip_prefix(&self.root).unwrap_or(&path);
            let path = path.display().to_string();
            NoteTaken { path, state }
        };
        left_out.map(note).collect()
    }

    /// Copies a file to `to` on `disk`, unless something is there; returns the state for the report.
    pub(super) fn copy_to(
        &self,
        from: &Path,
        disk: &dyn Disk,
        to: &Path,
    ) -> Result<&'static str, DiskError> {
        let bytes = read_all(self, from, FILE_BYTES_MAX)?;
        if disk.stat(to)?.is_some() {
            let is_same = read_all(disk, to, FILE_BYTES_MAX)? == bytes;
            return Ok(if is_same { "unchanged" } else { "differs" });
        }
        create_parent(disk, to)?;
        replace(disk, to, &bytes)?;
        Ok("taken")
    }

    /// Why `path` is left out; `None` if it may be read.
    fn barred(&self, path: &Path) -> Result<Option<&'static str>, DiskError> {
        let leads_out = match self.disk.resolve(path) {
            Ok(resolved) => !resolved.starts_with(&self.resolved),
            Err(error) if error.is_link_loop() => true,
            Err(error) => return Err(error),
        };
        if leads_out {
            return Ok(Some("leadsOut"));
        }
        let is_file = self.disk.stat(path)?.is_some_and(|stat| !stat.is_dir);
        let opened = if is_file {
            self.disk.open(path).err()
        } else {
            None
        };
        let is_special = opened.and_then(|error| NoFile::of(&error)) == Some(NoFile::Special);
        Ok(is_special.then_some("special"))
    }

    /// Whether `path` may be read; records it as left out if not.
    fn admits(&self, path: &Path) -> Result<bool, DiskError> {
        let barred = self.barred(path)?;
        if let Some(why) = barred {
            let mut left_out = base::locked(&self.left_out);
            left_out.insert(path.to_owned(), why);
        }
        Ok(barred.is_none())
    }
}

fn refused(act: &'static str, path: &Path) -> DiskError {
    let reason = io::Error::new(
        io::ErrorKind::PermissionDenied,
        "only files in that home are read",
    );
    DiskError::on(act, path)(reason)
}

impl Disk for ScopedDisk {
    fn open(&self, path: &Path) -> Result<Box<dyn ReadAt>, DiskError> {
        if self.admits(path)? {
            self.disk.open(path)
        } else {
            Err(refused("open", path))
        }
    }

    fn stat(&self, path: &Path) -> Result<Option<FileStat>, DiskError> {
        if self.admits(path)? {
            self.disk.stat(path)
        } else {
            Ok(None)
        }
    }

    fn resolve(&self, path: &Path) -> Result<PathBuf, DiskError> {
        self.disk.resolve(path)
    }

    fn list(&self, directory: &Path) -> Result<Vec<PathBuf>, DiskError> {
        if self.admits(directory)? {
            self.disk.list(directory)
        } else {
            Ok(Vec::new())
        }
    }

    fn create_dir(&self, directory: &Path) -> Result<(), DiskError> {
        Err(refused("make directory", directory))
    }

    fn append(&self, path: &Path, _bytes: &[u8]) -> Result<(), DiskError> {
        Err(refused("append to", path))
    }

    fn truncate(&self, path: &Path, _len: u64) -> Result<(), DiskError> {
        Err(refused("truncate", path))
    }

    fn sync(&self, path: &Path) -> Result<(), DiskError> {
        Err(refused("write", path))
    }

    fn sync_dir(&self, directory: &Path) -> Result<(), DiskError> {
        Err(refused("write", directory))
    }

    fn rename(&self, from: &Path, _to: &Path) -> Result<(), DiskError> {
        Err(refused("rename", from))
    }

    fn remove(&self, path: &Path) -> Result<(), DiskError> {
        Err(refused("remove", path))
    }

    fn try_lock(&self, path: &Path) -> Result<Lock, LockError> {
        Err(refused("lock", path).into())
    }

    fn lock(&self, path: &Path, _patience: Duration) -> Result<Lock, LockError> {
        self.try_lock(path)
    }
}
