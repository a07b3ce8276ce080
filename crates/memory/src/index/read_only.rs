//! Both halves of the index where nothing may be written.
//!
//! Makes no file and takes no lock, not even the ones that readers take elsewhere.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::{Connection, OpenFlags};
use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    DirectoryLock, FileHandle, Lock, MmapDirectory, WatchCallback, WatchHandle, WritePtr,
};
use tantivy::{Directory, Index};

use super::error::IndexError;
use super::private::in_directory;

/// The postings in a directory.
pub(super) fn postings(directory: &Path) -> Result<Index, IndexError> {
    let files = MmapDirectory::open(directory).map_err(tantivy::TantivyError::from)?;
    Ok(Index::open(ReadOnlyDirectory(files, directory.to_owned()))?)
}

/// The store at a path, with the log that a crash or a living writer left beside it; where that cannot be
/// read without a file of our own, as it was when its last writer went.
pub(super) fn store(path: &Path) -> Result<Connection, IndexError> {
    let beside = |ending: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        Path::new(&name).exists()
    };
    // SQLite would make whichever of the two is missing.
    if beside("-wal") && beside("-shm") {
        let with_log = opened(path, "readonly_shm=1").and_then(|connection| {
            // It tells only when it is asked something whether it can read them.
            connection.pragma_query_value(None, "schema_version", |row| row.get::<_, i64>(0))?;
            Ok(connection)
        });
        if let Ok(connection) = with_log {
            return Ok(connection);
        }
    }
    Ok(opened(path, "immutable=1")?)
}

fn opened(path: &Path, how: &str) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_URI;
    Connection::open_with_flags(format!("file:{}?{how}", escaped(path)), flags)
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
struct ReadOnlyDirectory(MmapDirectory, PathBuf);

fn refused() -> io::Error {
    ErrorKind::ReadOnlyFilesystem.into()
}

impl Directory for ReadOnlyDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        let opened = self.0.get_file_handle(path);
        opened.map_err(|error| in_directory(&self.1, error))
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
        let read = self.0.atomic_read(path);
        read.map_err(|error| in_directory(&self.1, error))
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
