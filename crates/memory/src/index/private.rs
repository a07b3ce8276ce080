//! The files of the postings, which nobody but the owner may read.
//!
//! Changes no byte that tantivy writes.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::Disk;
use base::disk::DiskError;
use tantivy::Directory;
use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    DirectoryLock, FileHandle, Lock, MmapDirectory, WatchCallback, WatchHandle, WritePtr,
};

/// Files that are made for the owner alone, whatever the umask says.
#[derive(Debug, Clone)]
pub(super) struct PrivateDirectory {
    files: MmapDirectory,
    disk: Arc<dyn Disk>,
    root: PathBuf,
}

impl PrivateDirectory {
    /// The files in a directory that is there.
    pub(super) fn open(disk: Arc<dyn Disk>, root: &Path) -> tantivy::Result<Self> {
        Ok(Self {
            files: MmapDirectory::open(root)?,
            disk,
            root: root.to_owned(),
        })
    }

    /// The directory around it lets nobody else in, so that the moment before this gives nothing away.
    fn make_private(&self, path: &Path) -> io::Result<()> {
        let path = self.root.join(path);
        let set = || {
            if self.disk.is_private(&path)? {
                return Ok(());
            }
            self.disk.make_private(&path)
        };
        set().map_err(|error: DiskError| io::Error::new(error.kind(), error))
    }
}

impl Directory for PrivateDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.files.get_file_handle(path)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.files.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.files.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        let file = self.files.open_write(path)?;
        self.make_private(path)
            .map_err(|error| OpenWriteError::wrap_io_error(error, path.to_owned()))?;
        Ok(file)
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.files.atomic_read(path)
    }

    fn atomic_write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.files.atomic_write(path, bytes)?;
        self.make_private(path)
    }

    fn sync_directory(&self) -> io::Result<()> {
        self.files.sync_directory()
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        let held = self.files.acquire_lock(lock)?;
        self.make_private(&lock.filepath)
            .map_err(|error| LockError::IoError(Arc::new(error)))?;
        Ok(held)
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.files.watch(callback)
    }
}
