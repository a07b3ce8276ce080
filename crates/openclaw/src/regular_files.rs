//! The disk of the machine, on which nothing but files is opened.
//!
//! Never waits for a program at the other end of a named pipe.

use std::io;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base::Disk;
use base::disk::{DiskError, FileStat, Lock, LockError, OsDisk, ReadAt};

/// The disk of the machine; a named pipe or a socket in the place of a file is an error, as to open one
/// waits until another program does.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RegularFiles(OsDisk);

/// What is there in the place of a file; nothing where it is one, or where nothing is.
fn special(path: &Path) -> Option<&'static str> {
    let kind = std::fs::metadata(path).ok()?.file_type();
    if kind.is_fifo() {
        Some("it is a named pipe, not a file")
    } else if kind.is_socket() {
        Some("it is a socket, not a file")
    } else {
        None
    }
}

fn refuse_special(act: &'static str, path: &Path) -> Result<(), DiskError> {
    match special(path) {
        Some(reason) => {
            let refused = io::Error::new(io::ErrorKind::NotSeekable, reason);
            Err(DiskError::on(act, path)(refused))
        }
        None => Ok(()),
    }
}

impl Disk for RegularFiles {
    fn open(&self, path: &Path) -> Result<Box<dyn ReadAt>, DiskError> {
        refuse_special("open", path)?;
        self.0.open(path)
    }

    fn stat(&self, path: &Path) -> Result<Option<FileStat>, DiskError> {
        self.0.stat(path)
    }

    fn resolve(&self, path: &Path) -> Result<PathBuf, DiskError> {
        self.0.resolve(path)
    }

    fn list(&self, directory: &Path) -> Result<Vec<PathBuf>, DiskError> {
        self.0.list(directory)
    }

    fn create_dir(&self, directory: &Path) -> Result<(), DiskError> {
        self.0.create_dir(directory)
    }

    fn append(&self, path: &Path, bytes: &[u8]) -> Result<(), DiskError> {
        refuse_special("append to", path)?;
        self.0.append(path, bytes)
    }

    fn truncate(&self, path: &Path, len: u64) -> Result<(), DiskError> {
        refuse_special("cut", path)?;
        self.0.truncate(path, len)
    }

    fn sync(&self, path: &Path) -> Result<(), DiskError> {
        self.0.sync(path)
    }

    fn sync_dir(&self, directory: &Path) -> Result<(), DiskError> {
        self.0.sync_dir(directory)
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<(), DiskError> {
        self.0.rename(from, to)
    }

    fn remove(&self, path: &Path) -> Result<(), DiskError> {
        self.0.remove(path)
    }

    fn is_private(&self, path: &Path) -> Result<bool, DiskError> {
        self.0.is_private(path)
    }

    fn make_private(&self, path: &Path) -> Result<(), DiskError> {
        self.0.make_private(path)
    }

    fn try_lock(&self, path: &Path) -> Result<Lock, LockError> {
        refuse_special("open lock", path)?;
        self.0.try_lock(path)
    }

    fn lock(&self, path: &Path, patience: Duration) -> Result<Lock, LockError> {
        refuse_special("open lock", path)?;
        self.0.lock(path, patience)
    }

    fn wait(&self, time: Duration) {
        self.0.wait(time);
    }
}
