//! Both halves of the index where nothing may be written.
//!
//! Makes no file and takes no lock, not even the ones that readers take elsewhere.

use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::Arc;

use rusqlite::{Connection, OpenFlags};
use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    DirectoryLock, FileHandle, Lock, MmapDirectory, WatchCallback, WatchHandle, WritePtr,
};
use tantivy::{Directory, Index};

use super::error::IndexError;

/// The postings in a directory.
pub(super) fn postings(directory: &Path) -> Result<Index, IndexError> {
    let files = MmapDirectory::open(directory).map_err(tantivy::TantivyError::from)?;
    Ok(Index::open(ReadOnlyDirectory(files))?)
}

/// The store at a path, as it was when its last writer went: what a crash left in the log beside it is not
/// read, for that could not be done without a file of our own.
pub(super) fn store(path: &Path) -> Result<Connection, IndexError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_URI;
    let uri = format!("file:{}?immutable=1", escaped(path));
    Ok(Connection::open_with_flags(uri, flags)?)
}

/// The path as a part of an address.
fn escaped(path: &Path) -> String {
    let bytes = path.as_os_str().as_encoded_bytes().iter();
    let escaped = bytes.map(|byte| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => {
            char::from(*byte).to_string()
        }
        byte => format!("%{byte:02x}"),
    });
    escaped.collect()
}

/// Files that are read and never written.
#[derive(Debug, Clone)]
struct ReadOnlyDirectory(MmapDirectory);

fn refused() -> io::Error {
    ErrorKind::ReadOnlyFilesystem.into()
}

impl Directory for ReadOnlyDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.0.get_file_handle(path)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        Err(DeleteError::IoError {
            io_error: Arc::new(refused()),
            filepath: path.to_owned(),
        })
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.0.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        Err(OpenWriteError::wrap_io_error(refused(), path.to_owned()))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.0.atomic_read(path)
    }

    fn atomic_write(&self, _: &Path, _: &[u8]) -> io::Result<()> {
        Err(refused())
    }

    fn sync_directory(&self) -> io::Result<()> {
        Err(refused())
    }

    fn acquire_lock(&self, _: &Lock) -> Result<DirectoryLock, LockError> {
        Ok(DirectoryLock::from(Box::new(())))
    }

    fn watch(&self, _: WatchCallback) -> tantivy::Result<WatchHandle> {
        Ok(WatchHandle::empty())
    }
}
