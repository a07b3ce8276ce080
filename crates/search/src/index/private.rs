//! The files of the postings: readable by the owner only, and write-protected on request.
//!
//! Passes tantivy's bytes through unchanged, and rejects writes once their writer is gone.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use base::Disk;
use base::disk::{DiskError, replace};
use tantivy::Directory;
use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    AntiCallToken, DirectoryLock, FileHandle, Lock, MmapDirectory, TerminatingWrite, WatchCallback,
    WatchHandle, WritePtr,
};

/// A directory whose files are created for the owner only, whatever the umask.
#[derive(Debug, Clone)]
pub(super) struct PrivateDirectory {
    files: MmapDirectory,
    /// `None` if no file may be created and no lock taken.
    gate: Option<Gate>,
    root: PathBuf,
}

/// Lets writes through while their writer exists: threads of a failed writer may write late, when the next one is
/// already at work.
#[derive(Debug, Clone)]
struct Gate(Arc<RwLock<Option<Arc<dyn Disk>>>>);

type OpenGate<'g> = RwLockReadGuard<'g, Option<Arc<dyn Disk>>>;

impl Gate {
    /// Invariant: the gate stays open or closed while this guard is held.
    fn held(&self) -> OpenGate<'_> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Closes the gate on drop: later writes fail.
#[derive(Debug)]
pub(super) struct GateKeeper(Gate);

impl Drop for GateKeeper {
    fn drop(&mut self) {
        *self.0.0.write().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// The disk behind an open gate.
fn disk<'g>(gate: Option<&'g OpenGate<'_>>) -> io::Result<&'g Arc<dyn Disk>> {
    let disk = gate.and_then(|gate| gate.as_ref());
    disk.ok_or_else(|| io::ErrorKind::ReadOnlyFilesystem.into())
}

impl PrivateDirectory {
    /// Opens an existing directory.
    pub(super) fn open(disk: Option<Arc<dyn Disk>>, root: &Path) -> tantivy::Result<Self> {
        Ok(Self {
            files: MmapDirectory::open(root)?,
            gate: disk.map(|disk| Gate(Arc::new(RwLock::new(Some(disk))))),
            root: root.to_owned(),
        })
    }

    /// Ends all writes through this directory when it is dropped.
    pub(super) fn keeper(&self) -> Option<GateKeeper> {
        self.gate.clone().map(GateKeeper)
    }

    fn held(&self) -> Option<OpenGate<'_>> {
        self.gate.as_ref().map(Gate::held)
    }
}

/// Appends tantivy's output to a file through the disk, which creates it for the owner only.
struct Growing {
    gate: Gate,
    path: PathBuf,
}

/// Write buffer, in bytes.
const PART_BYTES: usize = 256 * 1024;

impl Write for Growing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let held = self.gate.held();
        let added = disk(Some(&held))?.append(&self.path, bytes);
        added.map(|()| bytes.len()).map_err(told)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl TerminatingWrite for Growing {
    fn terminate_ref(&mut self, _: AntiCallToken) -> io::Result<()> {
        let held = self.gate.held();
        disk(Some(&held))?.sync(&self.path).map_err(told)
    }
}

/// Adds the full path; tantivy reports one relative to its directory.
fn in_directory(root: &Path, error: OpenReadError) -> OpenReadError {
    match error {
        OpenReadError::IoError { io_error, filepath } => OpenReadError::IoError {
            io_error,
            filepath: root.join(filepath),
        },
        other @ (OpenReadError::FileDoesNotExist(_) | OpenReadError::IncompatibleIndex(_)) => other,
    }
}

fn told(error: DiskError) -> io::Error {
    io::Error::new(error.kind(), error)
}

impl Directory for PrivateDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        let opened = self.files.get_file_handle(path);
        opened.map_err(|error| in_directory(&self.root, error))
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        let held = self.held();
        disk(held.as_ref()).map_err(|error| DeleteError::IoError {
            io_error: Arc::new(error),
            filepath: path.to_owned(),
        })?;
        self.files.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.files.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        let full = self.root.join(path);
        let failed = |error| OpenWriteError::wrap_io_error(error, path.to_owned());
        let Some(gate) = &self.gate else {
            return Err(failed(io::ErrorKind::ReadOnlyFilesystem.into()));
        };
        let held = gate.held();
        let disk = disk(Some(&held)).map_err(failed)?;
        let made = match disk.stat(&full) {
            Ok(Some(_)) => return Err(OpenWriteError::FileAlreadyExists(path.to_owned())),
            Ok(None) => disk.append(&full, &[]),
            Err(error) => Err(error),
        };
        made.map_err(|error| failed(told(error)))?;
        let gate = gate.clone();
        let buffered = BufWriter::with_capacity(PART_BYTES, Growing { gate, path: full });
        Ok(WritePtr::new(Box::new(buffered)))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        let read = self.files.atomic_read(path);
        read.map_err(|error| in_directory(&self.root, error))
    }

    fn atomic_write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let held = self.held();
        replace(&**disk(held.as_ref())?, &self.root.join(path), bytes).map_err(told)
    }

    fn sync_directory(&self) -> io::Result<()> {
        let held = self.held();
        disk(held.as_ref())?;
        self.files.sync_directory()
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        let Some(gate) = &self.gate else {
            return Ok(DirectoryLock::from(Box::new(())));
        };
        let failed = |error| LockError::IoError(Arc::new(error));
        let made = {
            let held = gate.held();
            let disk = disk(Some(&held)).map_err(failed)?;
            disk.append(&self.root.join(&lock.filepath), &[])
        };
        made.map_err(|error| failed(told(error)))?;
        self.files.acquire_lock(lock)
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.files.watch(callback)
    }
}

#[cfg(test)]
mod tests {
    use base::disk::OsDisk;

    use super::*;

    #[test]
    fn private_directory_rejects_writes_after_its_keeper_is_dropped() {
        let root = tempfile::tempdir().unwrap();
        let files = PrivateDirectory::open(Some(Arc::new(OsDisk)), root.path()).unwrap();
        let keeper = files.keeper();
        let mut begun = files.open_write(Path::new("begun")).unwrap();
        begun.write_all(b"in time").unwrap();
        begun.flush().unwrap();
        OsDisk.remove(&root.path().join("begun")).unwrap();
        drop(keeper);
        begun.write_all(b"late").unwrap();
        assert!(begun.flush().is_err());
        assert!(files.open_write(Path::new("late")).is_err());
        assert!(files.atomic_write(Path::new("meta.json"), b"{}").is_err());
        assert!(files.delete(Path::new("begun")).is_err());
        assert!(OsDisk.list(root.path()).unwrap().is_empty());
    }
}
