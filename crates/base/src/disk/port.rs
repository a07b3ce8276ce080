//! The disk port: small operations whose effects and durability are stated one by one.
//!
//! Whole-file policies are built from them in `durable`, so that a crash can fall between any two.

use std::any::Any;
use std::fmt::Debug;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::Timestamp;

/// A place for files.
///
/// Files are made readable by their owner alone (0600), directories too (0700). What
/// [`append`](Disk::append), [`truncate`](Disk::truncate), [`rename`](Disk::rename) and
/// [`remove`](Disk::remove) do is visible at once and survives a crash only after the matching
/// [`sync`](Disk::sync) or [`sync_dir`](Disk::sync_dir).
pub trait Disk: Send + Sync + Debug {
    /// Opens a file for reading; what is read is that file even if another takes its name.
    ///
    /// # Errors
    ///
    /// [`DiskError`], of kind [`io::ErrorKind::NotFound`] where there is none.
    fn open(&self, path: &Path) -> Result<Box<dyn ReadAt>, DiskError>;

    /// What is known of a path without opening it; `None` where there is nothing.
    fn stat(&self, path: &Path) -> Result<Option<FileStat>, DiskError>;

    /// The path with every symbolic link in it followed; what is not there is taken as it is written.
    ///
    /// A disk without links gives the path back.
    fn resolve(&self, path: &Path) -> Result<PathBuf, DiskError> {
        Ok(path.to_owned())
    }

    /// The names in a directory, sorted; none where there is no such directory.
    fn list(&self, directory: &Path) -> Result<Vec<PathBuf>, DiskError>;

    /// Makes a directory with those above it; one that is there is left as it is. Not durable.
    fn create_dir(&self, directory: &Path) -> Result<(), DiskError>;

    /// Adds bytes at the end of a file, which is made if need be. Not durable.
    ///
    /// # Errors
    ///
    /// [`DiskError`]; a part of the bytes may have been written.
    fn append(&self, path: &Path, bytes: &[u8]) -> Result<(), DiskError>;

    /// Cuts a file to `len` bytes. Not durable.
    ///
    /// # Errors
    ///
    /// [`DiskError`], also where there is no such file.
    fn truncate(&self, path: &Path, len: u64) -> Result<(), DiskError>;

    /// Makes the content of a file durable.
    ///
    /// # Errors
    ///
    /// [`DiskError`]; after it, nothing is known of what the file will hold.
    fn sync(&self, path: &Path) -> Result<(), DiskError>;

    /// Makes the names in a directory durable.
    fn sync_dir(&self, directory: &Path) -> Result<(), DiskError>;

    /// Gives a file another name, atomically, in place of any file of that name. Not durable.
    fn rename(&self, from: &Path, to: &Path) -> Result<(), DiskError>;

    /// Removes a file. Not durable.
    fn remove(&self, path: &Path) -> Result<(), DiskError>;

    /// Removes a directory with all below it; links in it go and are not followed. A disk without
    /// directories of its own removes the files. Not durable.
    ///
    /// # Errors
    ///
    /// [`DiskError`]; some of it may be gone.
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

    /// Makes a directory durable with all below it.
    ///
    /// # Errors
    ///
    /// [`DiskError`]; after it, nothing is known of what the directory will hold.
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

    /// Whether nobody but its owner may read or write what is there; a disk without modes says so.
    fn is_private(&self, _path: &Path) -> Result<bool, DiskError> {
        Ok(true)
    }

    /// Lets nobody but its owner read or write what is there.
    fn make_private(&self, _path: &Path) -> Result<(), DiskError> {
        Ok(())
    }

    /// Takes a lock without waiting; the file is made if need be and says who holds it.
    ///
    /// The lock is free again when the guard is dropped or its process dies.
    fn try_lock(&self, path: &Path) -> Result<Lock, LockError>;

    /// Takes a lock that others hold for moments only, and waits for it at most about as long as it is told to.
    ///
    /// A disk without other processes has nobody to wait for and tries once.
    fn lock(&self, path: &Path, _patience: Duration) -> Result<Lock, LockError> {
        self.try_lock(path)
    }

    /// Leaves another process the time to finish what it is at; a disk without other processes has nobody to
    /// wait for.
    fn wait(&self, _time: Duration) {}
}

/// An open file that is read at positions.
pub trait ReadAt: Send + Debug {
    /// Its length in bytes now.
    fn len(&self) -> Result<u64, DiskError>;

    /// Reads into `buffer` from `offset`; gives the number of bytes read, less than asked only at the
    /// end of the file.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, DiskError>;

    /// Whether the file holds nothing.
    fn is_empty(&self) -> Result<bool, DiskError> {
        Ok(self.len()? == 0)
    }
}

/// What is known of a path without opening it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileStat {
    /// Length in bytes.
    pub len: u64,
    /// When it was last written, where the disk knows.
    pub modified_at: Option<Timestamp>,
    /// Whether it is a directory.
    pub is_dir: bool,
}

/// A lock; dropping it frees it.
#[derive(Debug)]
pub struct Lock {
    _guard: Box<dyn AnyGuard>,
}

/// Whatever frees a lock when it is dropped.
trait AnyGuard: Any + Send + Sync + Debug {}

impl<T: Any + Send + Sync + Debug> AnyGuard for T {}

impl Lock {
    /// Wraps what frees the lock when it is dropped.
    pub fn new(guard: impl Any + Send + Sync + Debug) -> Self {
        Self {
            _guard: Box::new(guard),
        }
    }
}

/// The act of [`Disk::sync`] in a [`DiskError`].
pub(super) const SYNC: &str = "sync";

/// The act of [`Disk::sync_dir`] in a [`DiskError`].
pub(super) const SYNC_DIRECTORY: &str = "sync directory";

/// A failed operation on a disk.
#[derive(Debug, thiserror::Error)]
#[error("cannot {act} {path}", path = path.display())]
pub struct DiskError {
    /// What was tried, as a verb.
    pub act: &'static str,
    /// On what.
    pub path: PathBuf,
    /// What the system said.
    #[source]
    pub source: io::Error,
}

impl DiskError {
    /// For use with `map_err`.
    pub fn on(act: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self {
            act,
            path,
            source: plain(source),
        }
    }

    /// There is nothing at a path.
    pub(super) fn not_found(act: &'static str, path: &Path) -> Self {
        Self::on(act, path)(io::ErrorKind::NotFound.into())
    }

    /// Whether what failed was to make something durable: nothing is then known of what the disk holds,
    /// and a second try may succeed though the bytes are gone.
    pub fn is_sync(&self) -> bool {
        self.act == SYNC || self.act == SYNC_DIRECTORY
    }

    /// Whether what failed was to look at something, so that nothing would have been changed.
    pub fn is_reading(&self) -> bool {
        matches!(self.act, "open" | "read" | "look at" | "follow" | "list")
    }

    /// Whether more files would be open at once than the system allows this program.
    pub fn is_open_limit(&self) -> bool {
        self.source.raw_os_error() == Some(rustix::io::Errno::MFILE.raw_os_error())
    }

    /// Whether the machine lacks the means now: too many files are open, or there is no memory.
    pub fn is_want_of_means(&self) -> bool {
        use rustix::io::Errno;
        let wants = [Errno::MFILE, Errno::NFILE, Errno::NOMEM].map(Errno::raw_os_error);
        let code = self.source.raw_os_error();
        code.is_some_and(|code| wants.contains(&code))
    }

    /// The kind that the system gave the failure.
    pub fn kind(&self) -> io::ErrorKind {
        self.source.kind()
    }
}

/// The same, in words for people where those of the system are not.
fn plain(error: io::Error) -> io::Error {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the list of the standard library grows; most kinds speak for themselves"
    )]
    match error.kind() {
        io::ErrorKind::StorageFull => io::Error::new(error.kind(), "the disk is full"),
        // Where the program itself refuses a file, it says why.
        io::ErrorKind::FileTooLarge if error.raw_os_error().is_some() => {
            let reason = "the file would become larger than the system allows this program";
            io::Error::new(error.kind(), reason)
        }
        _ => error,
    }
}

/// A lock that was not taken.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another holds it.
    #[error("{path} is locked{}", by_process(*pid), path = path.display())]
    Held {
        /// The lock file.
        path: PathBuf,
        /// Its holder, where the file says so.
        pid: Option<u32>,
    },
    /// The lock file cannot be used.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

/// The end of a message about a lock that a process holds.
pub fn by_process(pid: Option<u32>) -> String {
    pid.map_or_else(String::new, |pid| format!(" by process {pid}"))
}

/// For an error with the variants `Locked` and `Disk`: a lock that another process holds, and a disk that failed,
/// are told as such.
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
/// [`DiskError`], of kind [`io::ErrorKind::FileTooLarge`] where the file is longer.
pub fn read_all(disk: &dyn Disk, path: &Path, len_max: u64) -> Result<Vec<u8>, DiskError> {
    let file = disk.open(path)?;
    let len = file.len()?;
    let too_large = || {
        io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("{len} bytes, at most {len_max} are read"),
        )
    };
    if len > len_max {
        return Err(DiskError::on("read", path)(too_large()));
    }
    let n_bytes = usize::try_from(len).map_err(|_| DiskError::on("read", path)(too_large()))?;
    let mut bytes = vec![0; n_bytes];
    let n_read = file.read_at(0, &mut bytes)?;
    bytes.truncate(n_read);
    Ok(bytes)
}

/// The same; `None` where there is no file.
pub fn read_some(disk: &dyn Disk, path: &Path, len_max: u64) -> Result<Option<Vec<u8>>, DiskError> {
    match disk.stat(path)? {
        Some(_) => read_all(disk, path, len_max).map(Some),
        None => Ok(None),
    }
}
