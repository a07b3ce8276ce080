//! The files of the postings, which nobody but the owner may read, and nobody may write where that is not wanted.
//!
//! Changes no byte that tantivy writes, and reads nothing itself.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::Disk;
use base::disk::{DiskError, replace};
use tantivy::Directory;
use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    AntiCallToken, DirectoryLock, FileHandle, Lock, MmapDirectory, TerminatingWrite, WatchCallback,
    WatchHandle, WritePtr,
};

/// Files that are made for the owner alone, whatever the umask says.
#[derive(Debug, Clone)]
pub(super) struct PrivateDirectory {
    files: MmapDirectory,
    /// `None` where no file is made and no lock taken.
    disk: Option<Arc<dyn Disk>>,
    root: PathBuf,
}

impl PrivateDirectory {
    /// The files in a directory that is there.
    pub(super) fn open(disk: Option<Arc<dyn Disk>>, root: &Path) -> tantivy::Result<Self> {
        Ok(Self {
            files: MmapDirectory::open(root)?,
            disk,
            root: root.to_owned(),
        })
    }

    fn disk(&self) -> io::Result<&Arc<dyn Disk>> {
        let refused = || io::ErrorKind::ReadOnlyFilesystem.into();
        self.disk.as_ref().ok_or_else(refused)
    }
}

/// Adds what tantivy writes to a file, through the disk, which makes it for the owner alone.
struct Growing {
    disk: Arc<dyn Disk>,
    path: PathBuf,
    waiting: Vec<u8>,
}

/// Bytes that are written at once.
const PART_BYTES: usize = 256 * 1024;

impl Growing {
    fn write_out(&mut self) -> io::Result<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let waiting = std::mem::take(&mut self.waiting);
        // A thread of a writer that failed may come late: the file that the next writer took away stays away.
        if self.disk.stat(&self.path).map_err(told)?.is_none() {
            return Err(io::ErrorKind::NotFound.into());
        }
        self.disk.append(&self.path, &waiting).map_err(told)
    }
}

impl Write for Growing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() >= PART_BYTES {
            self.write_out()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write_out()
    }
}

impl TerminatingWrite for Growing {
    fn terminate_ref(&mut self, _: AntiCallToken) -> io::Result<()> {
        self.write_out()?;
        self.disk.sync(&self.path).map_err(told)
    }
}

/// The same failure with the whole path of its file; tantivy names it within its directory.
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
        self.disk().map_err(|error| DeleteError::IoError {
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
        let disk = self.disk().map_err(failed)?;
        let made = match disk.stat(&full) {
            Ok(Some(_)) => return Err(OpenWriteError::FileAlreadyExists(path.to_owned())),
            Ok(None) => disk.append(&full, &[]),
            Err(error) => Err(error),
        };
        made.map_err(|error| failed(told(error)))?;
        Ok(WritePtr::new(Box::new(Growing {
            disk: Arc::clone(disk),
            path: full,
            waiting: Vec::new(),
        })))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        let read = self.files.atomic_read(path);
        read.map_err(|error| in_directory(&self.root, error))
    }

    fn atomic_write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        replace(&**self.disk()?, &self.root.join(path), bytes).map_err(told)
    }

    fn sync_directory(&self) -> io::Result<()> {
        self.disk()?;
        self.files.sync_directory()
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        let Some(disk) = &self.disk else {
            return Ok(DirectoryLock::from(Box::new(())));
        };
        let made = disk.append(&self.root.join(&lock.filepath), &[]);
        made.map_err(|error| LockError::IoError(Arc::new(told(error))))?;
        self.files.acquire_lock(lock)
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.files.watch(callback)
    }
}
