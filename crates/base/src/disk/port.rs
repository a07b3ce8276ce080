//! The disk port: small operations, each with its own effect and durability.
//!
//! `durable` composes them into whole-file writes, so that a crash can happen between any two.

use std::any::Any;
use std::fmt::Debug;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::Timestamp;

/// A place for files.
///
/// Files are created with mode 0600, directories with 0700. The effect of [`append`](Disk::append),
/// [`truncate`](Disk::truncate), [`rename`](Disk::rename) and [`remove`](Disk::remove) is visible at once, and
/// survives a crash only after the matching [`sync`](Disk::sync) or [`sync_dir`](Disk::sync_dir).
pub trait Disk: Send + Sync + Debug {
    /// Opens a file for reading; reads stay on that file even if another one takes its name.
    ///
    /// # Errors
    ///
    /// [`DiskError`], of kind [`io::ErrorKind::NotFound`] if it does not exist.
    fn open(&self, path: &Path) -> Result<Box<dyn ReadAt>, DiskError>;

    /// Metadata of a path; `None` if it does not exist.
    fn stat(&self, path: &Path) -> Result<Option<FileStat>, DiskError>;

    /// Follows every symbolic link in a path. Missing components are kept as written.
    ///
    /// A disk without links returns the path unchanged.
    fn resolve(&self, path: &Path) -> Result<PathBuf, DiskError> {
        Ok(path.to_owned())
    }

    /// The names in a directory, sorted; empty if it does not exist.
    fn list(&self, directory: &Path) -> Result<Vec<PathBuf>, DiskError>;

    /// Creates a directory and its missing parents; leaves an existing one as it is. Not durable.
    fn create_dir(&self, directory: &Path) -> Result<(), DiskError>;

    /// Appends bytes to a file, which is created if missing. Not durable.
    ///
    /// # Errors
    ///
    /// [`DiskError`]; some of the bytes may have been written.
    fn append(&self, path: &Path, bytes: &[u8]) -> Result<(), DiskError>;

    /// Sets the length of a file to `len` bytes. Not durable.
    ///
    /// # Errors
    ///
    /// [`DiskError`], for example if the file does not exist.
    fn truncate(&self, path: &Path, len: u64) -> Result<(), DiskError>;

    /// Makes the content of a file durable.
    ///
    /// # Errors
    ///
    /// [`DiskError`]; the content of the file is then unknown.
    fn sync(&self, path: &Path) -> Result<(), DiskError>;

    /// Makes the entries of a directory durable.
    fn sync_dir(&self, directory: &Path) -> Result<(), DiskError>;

    /// Renames a file atomically; replaces an existing file with the new name. Not durable.
    fn rename(&self, from: &Path, to: &Path) -> Result<(), DiskError>;

    /// Removes a file. Not durable.
    fn remove(&self, path: &Path) -> Result<(), DiskError>;

    /// Removes a directory and everything below it; removes links without following them. On a disk without real
    /// directories, removes the files below the path. Not durable.
    ///
    /// # Errors
    ///
    /// [`DiskError`]; a part of the directory may already be removed.
    fn remove_tree(&self, directory: &Path) -> Result<(), DiskError> {
        for name in self.list(directory)? {
            let path = directory.join(name);
            match self.stat(&path)? {
                Some(stat) if stat.is_dir => self.remove_tree(&path)?,
                Some(_) => self.remove(&path)?,
                None => {}
            }
        }
        Ok(())
    }

    /// Makes a directory and everything below it durable.
    ///
    /// # Errors
    ///
    /// [`DiskError`]; the content of the directory is then unknown.
    fn sync_tree(&self, directory: &Path) -> Result<(), DiskError> {
        for name in self.list(directory)? {
            let path = directory.join(name);
            match self.stat(&path)? {
                Some(stat) if stat.is_dir => self.sync_tree(&path)?,
                Some(_) => self.sync(&path)?,
                None => {}
            }
        }
        self.sync_dir(directory)
    }

    /// Whether only the owner can read or write the path; always true on a disk without modes.
    fn is_private(&self, _path: &Path) -> Result<bool, DiskError> {
        Ok(true)
    }

    /// Restricts the path to its owner.
    fn make_private(&self, _path: &Path) -> Result<(), DiskError> {
        Ok(())
    }

    /// Gives `to` the mode of `from`, if `from` exists. Does nothing on a disk without modes.
    fn copy_mode(&self, _from: &Path, _to: &Path) -> Result<(), DiskError> {
        Ok(())
    }

    /// Takes a lock without waiting. Creates the lock file if it is missing, and writes the holder into it.
    ///
    /// The lock is released when the guard is dropped or its process dies.
    fn try_lock(&self, path: &Path) -> Result<Lock, LockError>;

    /// Takes a lock that others hold only briefly. Waits for at most about `patience`.
    ///
    /// A disk without other processes tries once.
    fn lock(&self, path: &Path, _patience: Duration) -> Result<Lock, LockError> {
        self.try_lock(path)
    }

    /// Fails as [`try_lock`](Disk::try_lock) would if the lock is held or its file cannot be opened, but creates and
    /// writes nothing. If the file is missing, the lock is free.
    ///
    /// The default implementation suits a disk whose locks are in memory.
    fn check_lock(&self, path: &Path) -> Result<(), LockError> {
        match self.stat(path)? {
            Some(_) => self.try_lock(path).map(drop),
            None => Ok(()),
        }
    }

    /// Gives another process time to finish; does nothing on a disk without other processes.
    fn wait(&self, _time: Duration) {}
}

/// An open file with positioned reads.
pub trait ReadAt: Send + Debug {
    /// Its current length in bytes.
    fn len(&self) -> Result<u64, DiskError>;

    /// Reads into `buffer` from `offset`. Returns the number of bytes read, which is less than the buffer's length
    /// only at the end of the file.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, DiskError>;

    /// Whether the file is empty.
    fn is_empty(&self) -> Result<bool, DiskError> {
        Ok(self.len()? == 0)
    }
}

/// A file in memory.
impl ReadAt for Vec<u8> {
    fn len(&self) -> Result<u64, DiskError> {
        Ok(self.as_slice().len() as u64)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, DiskError> {
        let from = usize::try_from(offset).unwrap_or(usize::MAX);
        let mut rest = self.get(from..).unwrap_or_default();
        // Reading from memory cannot fail.
        Ok(rest.read(buffer).unwrap_or(0))
    }
}

/// Metadata of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileStat {
    /// Length in bytes.
    pub len: u64,
    /// Time of the last change, if the disk records it.
    pub modified_at: Option<Timestamp>,
    /// Whether it is a directory.
    pub is_dir: bool,
}

/// A lock, which is released when it is dropped.
#[derive(Debug)]
pub struct Lock {
    _guard: Box<dyn AnyGuard>,
}

/// Any value that releases a lock when it is dropped.
trait AnyGuard: Any + Send + Sync + Debug {}

impl<T: Any + Send + Sync + Debug> AnyGuard for T {}

impl Lock {
    /// Wraps a value that releases the lock when it is dropped.
    pub fn new(guard: impl Any + Send + Sync + Debug) -> Self {
        Self {
            _guard: Box::new(guard),
        }
    }
}

/// The `act` of a failed [`Disk::sync`].
pub(super) const SYNC: &str = "sync";

/// The `act` of a failed [`Disk::sync_dir`].
pub(super) const SYNC_DIRECTORY: &str = "sync directory";

/// A failed operation on a disk.
#[derive(Debug, thiserror::Error)]
#[error("cannot {act} {path}", path = path.display())]
pub struct DiskError {
    /// The operation, as a verb.
    pub act: &'static str,
    /// The path of the operation.
    pub path: PathBuf,
    /// The system's error.
    #[source]
    pub source: io::Error,
}

impl DiskError {
    /// Returns a closure for `map_err` that adds operation and path.
    pub fn on(act: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self {
            act,
            path,
            source: plain(source),
        }
    }

    /// The error for a path that does not exist.
    pub fn not_found(act: &'static str, path: &Path) -> Self {
        Self::on(act, path)(io::ErrorKind::NotFound.into())
    }

    /// Whether a sync failed. The content of the disk is then unknown, and a retry may succeed although the bytes are
    /// lost.
    pub fn is_sync(&self) -> bool {
        self.act == SYNC || self.act == SYNC_DIRECTORY
    }

    /// Whether a read failed, so that nothing can have changed.
    pub fn is_reading(&self) -> bool {
        matches!(self.act, "open" | "read" | "look at" | "follow" | "list")
    }

    /// Whether the process has reached its limit of open files.
    pub fn is_open_limit(&self) -> bool {
        self.source.raw_os_error() == Some(rustix::io::Errno::MFILE.raw_os_error())
    }

    /// Whether the path contains a symbolic link that leads back to itself. `io::ErrorKind` has no stable variant for
    /// this yet.
    pub fn is_link_loop(&self) -> bool {
        self.source.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error())
    }

    /// Whether the machine is short of resources: too many open files, or no memory.
    pub fn is_resource_exhausted(&self) -> bool {
        use rustix::io::Errno;
        let wants = [Errno::MFILE, Errno::NFILE, Errno::NOMEM].map(Errno::raw_os_error);
        let code = self.source.raw_os_error();
        code.is_some_and(|code| wants.contains(&code))
    }

    /// The kind of the system's error.
    pub fn kind(&self) -> io::ErrorKind {
        self.source.kind()
    }
}

/// Replaces the system's wording where it is unclear to people.
fn plain(error: io::Error) -> io::Error {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the standard library adds kinds; most are clear as they are"
    )]
    match error.kind() {
        io::ErrorKind::StorageFull => io::Error::new(error.kind(), "the disk is full"),
        // An error of this program has no OS code, and already gives the reason.
        io::ErrorKind::FileTooLarge if error.raw_os_error().is_some() => {
            let reason = "the file would be larger than the system allows";
            io::Error::new(error.kind(), reason)
        }
        _ => error,
    }
}

/// The reason why a lock cannot be taken.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process or thread holds it.
    #[error("{path} is locked{}", by_process(*pid), path = path.display())]
    Held {
        /// The lock file.
        path: PathBuf,
        /// The holder, if the file names it.
        pid: Option<u32>,
    },
    /// The lock file cannot be used.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

/// The end of a message about a lock, which names the process that holds it.
pub fn by_process(pid: Option<u32>) -> String {
    pid.map_or_else(String::new, |pid| format!(" by process {pid}"))
}

/// Converts a [`LockError`] into an error type with the variants `Locked` and `Disk`.
#[macro_export]
macro_rules! locked_or_disk {
    ($error:ty) => {
        impl From<$crate::disk::LockError> for $error {
            fn from(error: $crate::disk::LockError) -> Self {
                match error {
                    $crate::disk::LockError::Held { pid, .. } => Self::Locked(pid),
                    $crate::disk::LockError::Disk(error) => Self::Disk(error),
                }
            }
        }
    };
}

/// Reads a whole file of at most `len_max` bytes.
///
/// # Errors
///
/// [`DiskError`], of kind [`io::ErrorKind::FileTooLarge`] if the file is longer.
pub fn read_all(disk: &dyn Disk, path: &Path, len_max: u64) -> Result<Vec<u8>, DiskError> {
    let file = disk.open(path)?;
    let len = file.len()?;
    let n_bytes = usize::try_from(len).ok().filter(|_| len <= len_max);
    let n_bytes = n_bytes.ok_or_else(|| {
        let reason = format!("it has {len} bytes; the limit is {len_max}");
        DiskError::on("read", path)(io::Error::new(io::ErrorKind::FileTooLarge, reason))
    })?;
    let mut bytes = vec![0; n_bytes];
    let n_read = file.read_at(0, &mut bytes)?;
    bytes.truncate(n_read);
    Ok(bytes)
}

/// Like [`read_all`]; `None` if the file does not exist.
pub fn read_some(disk: &dyn Disk, path: &Path, len_max: u64) -> Result<Option<Vec<u8>>, DiskError> {
    match read_all(disk, path, len_max) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
