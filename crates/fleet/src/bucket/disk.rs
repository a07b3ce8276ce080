//! Implements `Disk` for a home in a bucket.
//!
//! Local paths go to the machine's disk. All other paths are kept in the tree and become durable through the log.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base::Timestamp;
use base::disk::{Disk, DiskError, FileStat, Lock, LockError, ReadAt};

use super::leased::HeldHome;
use super::objects::Objects;
use super::tree::{FileContent, Inode, above, content};
use crate::HomesError;

fn failed(act: &'static str, path: &Path) -> impl FnOnce(HomesError) -> DiskError {
    move |error| {
        if let HomesError::Disk(error) = error {
            error
        } else {
            DiskError::on(act, path)(io::Error::other(error))
        }
    }
}

impl HeldHome {
    /// The path as errors show it: the home's name and the path in it, because this machine has no file there.
    fn named(&self, below: impl AsRef<Path>) -> PathBuf {
        Path::new(self.objects.home().as_str()).join(below)
    }

    /// The path in the bucket, relative to the root of the home; `None` if it is on the disk of this machine.
    /// Hydrates the derived directory that contains it.
    fn place(&self, act: &'static str, path: &Path) -> Result<Option<String>, DiskError> {
        let Some(below) = self.below(act, path)? else {
            return Ok(None);
        };
        if !self.layout.is_local(&below) {
            return Ok(Some(below));
        }
        let hydrated = self.hydrate_above(&below);
        hydrated.map_err(failed(act, &self.named(&below)))?;
        Ok(None)
    }

    /// The path relative to the root of the home; an error if the path is outside.
    fn below(&self, act: &'static str, path: &Path) -> Result<Option<String>, DiskError> {
        let Ok(below) = path.strip_prefix(&self.root) else {
            return Ok(None);
        };
        let parts: Option<Vec<&str>> = below.iter().map(|part| part.to_str()).collect();
        let below = parts.map(|parts| parts.join("/"));
        below.map(Some).ok_or_else(|| {
            let reason = "its name is not UTF-8";
            let named = self.named(path.strip_prefix(&self.root).unwrap_or(path));
            DiskError::on(act, &named)(io::Error::new(io::ErrorKind::InvalidFilename, reason))
        })
    }

    fn inode(&self, act: &'static str, below: &str) -> Result<Inode, DiskError> {
        let found = self.tree().files.get(below).cloned();
        found.ok_or_else(|| DiskError::not_found(act, &self.named(below)))
    }

    fn now(&self) -> i64 {
        self.clock.now().timestamp_micros()
    }
}

impl Disk for HeldHome {
    fn open(&self, path: &Path) -> Result<Box<dyn ReadAt>, DiskError> {
        let Some(below) = self.place("open", path)? else {
            return self.local.open(path);
        };
        Ok(Box::new(GroundFile {
            inode: self.inode("open", &below)?,
            objects: self.objects.clone(),
            path: self.named(&below),
        }))
    }

    fn stat(&self, path: &Path) -> Result<Option<FileStat>, DiskError> {
        let Some(below) = self.place("look at", path)? else {
            return self.local.stat(path);
        };
        let tree = self.tree();
        if let Some(inode) = tree.files.get(&below) {
            let content = content(inode);
            return Ok(Some(FileStat {
                len: content.len(),
                modified_at: Timestamp::from_timestamp_micros(content.modified_at),
                is_dir: false,
            }));
        }
        let stat = FileStat {
            len: 0,
            modified_at: None,
            is_dir: true,
        };
        Ok(tree.is_directory(&below).then_some(stat))
    }

    fn list(&self, directory: &Path) -> Result<Vec<PathBuf>, DiskError> {
        let Some(below) = self.place("list", directory)? else {
            return self.local.list(directory);
        };
        let mut names = self.tree().list(&below);
        for name in self.local.list(directory)? {
            // Listing the home does not hydrate directories.
            let below = self.below("list", &directory.join(&name))?;
            if below.is_none_or(|below| self.layout.is_local(&below)) {
                names.insert(name);
            }
        }
        Ok(names.into_iter().collect())
    }

    fn create_dir(&self, directory: &Path) -> Result<(), DiskError> {
        let mut below = self.place("make directory", directory)?;
        if below.is_none() {
            self.local.create_dir(directory)?;
            let above = directory.parent().unwrap_or(directory);
            below = self.place("make directory", above)?;
        }
        if let Some(below) = below {
            self.tree().create_dir(&below);
        }
        Ok(())
    }

    fn append(&self, path: &Path, bytes: &[u8]) -> Result<(), DiskError> {
        let Some(below) = self.place("append to", path)? else {
            return self.local.append(path, bytes);
        };
        let now = self.now();
        let mut tree = self.tree();
        if tree.is_directory(&below) {
            return Err(DiskError::on("append to", &self.named(&below))(
                io::ErrorKind::IsADirectory.into(),
            ));
        }
        if let Some(inode) = tree.files.get(&below) {
            content(inode).append(bytes, now);
            return Ok(());
        }
        let directory = above(&below).last().unwrap_or_default();
        if !tree.is_directory(&directory) {
            return Err(DiskError::not_found("append to", &self.named(&below)));
        }
        let mut content = FileContent::default();
        content.append(bytes, now);
        tree.files.insert(below, Arc::new(Mutex::new(content)));
        Ok(())
    }

    fn truncate(&self, path: &Path, len: u64) -> Result<(), DiskError> {
        let Some(below) = self.place("cut", path)? else {
            return self.local.truncate(path, len);
        };
        content(&self.inode("cut", &below)?).truncate(len, self.now());
        Ok(())
    }

    fn sync(&self, path: &Path) -> Result<(), DiskError> {
        let Some(below) = self.place("sync", path)? else {
            return self.local.sync(path);
        };
        self.inode("sync", &below)?;
        let written = self.write(|tree, added| tree.sync(&below, added).into_iter().collect());
        written.map_err(failed("sync", &self.named(&below)))
    }

    fn sync_dir(&self, directory: &Path) -> Result<(), DiskError> {
        let Some(below) = self.place("sync directory", directory)? else {
            return self.local.sync_dir(directory);
        };
        let written = self.write(|tree, added| tree.sync_dir(&below, added));
        written.map_err(failed("sync directory", &self.named(&below)))
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<(), DiskError> {
        let places = (self.place("rename to", from)?, self.place("rename to", to)?);
        let (old, new) = match places {
            (None, None) => return self.local.rename(from, to),
            (Some(old), Some(new)) => (old, new),
            (None, Some(_)) | (Some(_), None) => {
                return Err(DiskError::on("rename to", to)(
                    io::ErrorKind::CrossesDevices.into(),
                ));
            }
        };
        let mut tree = self.tree();
        if !tree.is_directory(&above(&new).last().unwrap_or_default()) {
            return Err(DiskError::not_found("rename to", &self.named(&new)));
        }
        let inode = tree
            .files
            .remove(&old)
            .ok_or_else(|| DiskError::not_found("rename to", &self.named(&new)))?;
        tree.files.insert(new, inode);
        Ok(())
    }

    fn remove(&self, path: &Path) -> Result<(), DiskError> {
        let Some(below) = self.place("remove", path)? else {
            return self.local.remove(path);
        };
        let removed = self.tree().files.remove(&below).map(drop);
        removed.ok_or_else(|| DiskError::not_found("remove", &self.named(&below)))
    }

    fn remove_tree(&self, directory: &Path) -> Result<(), DiskError> {
        let Some(below) = self.place("remove", directory)? else {
            return self.local.remove_tree(directory);
        };
        self.tree().remove_tree(&below);
        Ok(())
    }

    /// Folds the whole home, which swaps the head once instead of writing a record per file.
    fn sync_tree(&self, directory: &Path) -> Result<(), DiskError> {
        let Some(below) = self.place("sync directory", directory)? else {
            return self.local.sync_tree(directory);
        };
        let folded = self.fold_all(&mut self.log());
        folded.map_err(failed("sync directory", &self.named(&below)))
    }

    fn try_lock(&self, path: &Path) -> Result<Lock, LockError> {
        self.lock(path, Duration::ZERO)
    }

    fn check_lock(&self, path: &Path) -> Result<(), LockError> {
        let Some(below) = self.place("lock", path)? else {
            return self.local.check_lock(path);
        };
        let taken = self.locks.take(&below, &self.named(&below), Duration::ZERO);
        taken.map(drop)
    }

    fn lock(&self, path: &Path, patience: Duration) -> Result<Lock, LockError> {
        let Some(below) = self.place("lock", path)? else {
            return self.local.lock(path, patience);
        };
        if self.stat(path)?.is_none() {
            self.append(path, &[])?;
        }
        self.locks.take(&below, &self.named(&below), patience)
    }

    fn wait(&self, time: Duration) {
        self.local.wait(time);
    }
}

/// An open file whose content is in the bucket.
#[derive(Debug)]
struct GroundFile {
    inode: Inode,
    objects: Objects,
    path: PathBuf,
}

impl GroundFile {
    fn read(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, HomesError> {
        let (parts, parts_len, n_read) = {
            let content = content(&self.inode);
            let n_left = content.len().saturating_sub(offset);
            let n_read = usize::try_from(n_left)
                .unwrap_or(usize::MAX)
                .min(buffer.len());
            let buffer = buffer.get_mut(..n_read).unwrap_or_default();
            let n_in_parts =
                usize::try_from(content.parts_len.saturating_sub(offset)).unwrap_or(usize::MAX);
            let (_, in_tail) = buffer.split_at_mut(n_in_parts.min(n_read));
            let at = offset.saturating_sub(content.parts_len);
            content.tail.read_at(at, in_tail)?;
            (content.parts.clone(), content.parts_len, n_read)
        };
        let mut begin = 0;
        for part in &parts {
            let end = begin + part.len;
            let from = begin.max(offset);
            let to = end.min(offset + n_read as u64).min(parts_len);
            if from < to {
                let range = usize::try_from(from - offset).unwrap_or(0)
                    ..usize::try_from(to - offset).unwrap_or(0);
                let piece = buffer.get_mut(range).unwrap_or_default();
                self.objects.read_part(part, from - begin, piece)?;
            }
            begin = end;
        }
        Ok(n_read)
    }
}

impl ReadAt for GroundFile {
    fn len(&self) -> Result<u64, DiskError> {
        Ok(content(&self.inode).len())
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, DiskError> {
        let mut read = self.read(offset, buffer);
        if let Err(HomesError::Damaged { .. }) = read {
            // A concurrent fold may have moved the parts and deleted the old object. A retry then sees the new parts.
            read = self.read(offset, buffer);
        }
        read.map_err(failed("read", &self.path))
    }
}
