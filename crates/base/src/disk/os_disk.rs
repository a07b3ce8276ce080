//! The file system of the operating system.
//!
//! The only module that uses `std::fs`.

#![expect(
    clippy::disallowed_methods,
    reason = "only this disk uses the file system"
)]

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions, TryLockError};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, FileExt, FileTypeExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use rustix::fs::OFlags;

use super::port::{SYNC, SYNC_DIRECTORY};
use super::{Disk, DiskError, FileStat, Lock, LockError, ReadAt};
use crate::Timestamp;

const FILE_MODE: u32 = 0o600;
const DIRECTORY_MODE: u32 = 0o700;

/// The permission bits of group and others.
const OTHERS: u32 = 0o077;

/// Maximum number of bytes read of a lock file. A process id is shorter.
const PID_BYTES_MAX: u64 = 20;

/// How often to retry a lock that another process is only checking, because a check does not hold the lock.
const CHECKS_MAX: usize = 100;

/// Time between two of these attempts. A check is shorter.
const CHECK_TIME: Duration = Duration::from_millis(1);

/// The machine's file system. Rejects named pipes and sockets, because opening one blocks until a peer opens it. Also
/// rejects reading devices, which have no length and may have no end.
#[derive(Debug, Clone, Copy, Default)]
pub struct OsDisk;

impl Disk for OsDisk {
    fn open(&self, path: &Path) -> Result<Box<dyn ReadAt>, DiskError> {
        let opened = refuse_special(path).and_then(|()| File::open(path));
        let opened = opened.and_then(refuse_device);
        let file = opened.map_err(DiskError::on("open", path))?;
        Ok(Box::new(OsFile {
            file,
            path: path.to_owned(),
        }))
    }

    fn stat(&self, path: &Path) -> Result<Option<FileStat>, DiskError> {
        match fs::metadata(path) {
            Ok(metadata) => Ok(Some(FileStat {
                len: metadata.len(),
                modified_at: metadata.modified().ok().map(Timestamp::from),
                is_dir: metadata.is_dir(),
            })),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(DiskError::on("look at", path)(error)),
        }
    }

    fn resolve(&self, path: &Path) -> Result<PathBuf, DiskError> {
        match fs::canonicalize(path) {
            Ok(resolved) => return Ok(resolved),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(DiskError::on("follow", path)(error)),
        }
        // `canonicalize` has failed for link cycles, so each step gets closer to the end.
        let Some((parent, name)) = path.parent().zip(path.file_name()) else {
            return Ok(path.to_owned());
        };
        match fs::read_link(path) {
            Ok(target) => self.resolve(&parent.join(target)),
            Err(_) if parent.as_os_str().is_empty() => Ok(self.resolve(Path::new("."))?.join(name)),
            Err(_) => Ok(self.resolve(parent)?.join(name)),
        }
    }

    fn list(&self, directory: &Path) -> Result<Vec<PathBuf>, DiskError> {
        let entries = match fs::read_dir(directory) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(DiskError::on("list", directory)(error)),
        };
        let names = entries.map(|entry| Ok(entry?.file_name()));
        let names = names.collect::<io::Result<Vec<_>>>();
        let mut names = names.map_err(DiskError::on("list", directory))?;
        // Sorted as strings, because paths compare component by component.
        names.sort();
        Ok(names.into_iter().map(PathBuf::from).collect())
    }

    fn create_dir(&self, directory: &Path) -> Result<(), DiskError> {
        DirBuilder::new()
            .recursive(true)
            .mode(DIRECTORY_MODE)
            .create(directory)
            .map_err(DiskError::on("make directory", directory))
    }

    fn append(&self, path: &Path, bytes: &[u8]) -> Result<(), DiskError> {
        let add = || {
            refuse_special(path)?;
            let mut file = OpenOptions::new();
            let file = file.append(true).create(true).mode(FILE_MODE);
            file.open(path)?.write_all(bytes)
        };
        add().map_err(DiskError::on("append to", path))
    }

    fn is_private(&self, path: &Path) -> Result<bool, DiskError> {
        let metadata = fs::metadata(path).map_err(DiskError::on("look at", path))?;
        Ok(metadata.permissions().mode() & OTHERS == 0)
    }

    fn make_private(&self, path: &Path) -> Result<(), DiskError> {
        // The path may have become a link since it was checked, so only the file that was opened is changed.
        let set = || {
            let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
            let flags = i32::try_from(flags.bits()).map_err(io::Error::other)?;
            let mut options = OpenOptions::new();
            let file = options.read(true).custom_flags(flags).open(path)?;
            let mode = file.metadata()?.permissions().mode();
            file.set_permissions(Permissions::from_mode(mode & !OTHERS))
        };
        set().map_err(DiskError::on("set the mode of", path))
    }

    fn copy_mode(&self, from: &Path, to: &Path) -> Result<(), DiskError> {
        let set = match fs::metadata(from) {
            Ok(metadata) => fs::set_permissions(to, metadata.permissions()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
        };
        set.map_err(DiskError::on("set the mode of", to))
    }

    fn truncate(&self, path: &Path, len: u64) -> Result<(), DiskError> {
        let cut = || {
            refuse_special(path)?;
            OpenOptions::new().write(true).open(path)?.set_len(len)
        };
        cut().map_err(DiskError::on("cut", path))
    }

    fn sync(&self, path: &Path) -> Result<(), DiskError> {
        let sync = || OpenOptions::new().append(true).open(path)?.sync_data();
        sync().map_err(DiskError::on(SYNC, path))
    }

    fn sync_dir(&self, directory: &Path) -> Result<(), DiskError> {
        let is_here = directory.as_os_str().is_empty();
        let directory = if is_here { Path::new(".") } else { directory };
        let sync = || File::open(directory)?.sync_all();
        sync().map_err(DiskError::on(SYNC_DIRECTORY, directory))
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<(), DiskError> {
        let renamed = refuse_to_replace(to).and_then(|()| fs::rename(from, to));
        renamed.map_err(DiskError::on("rename to", to))
    }

    fn remove(&self, path: &Path) -> Result<(), DiskError> {
        fs::remove_file(path).map_err(DiskError::on("remove", path))
    }

    fn remove_tree(&self, directory: &Path) -> Result<(), DiskError> {
        fs::remove_dir_all(directory).map_err(DiskError::on("remove", directory))
    }

    /// Syncs the whole file system in one call, which takes about as long as syncing a few files one by one.
    #[cfg(target_os = "linux")]
    fn sync_tree(&self, directory: &Path) -> Result<(), DiskError> {
        let sync = || Ok(rustix::fs::syncfs(File::open(directory)?)?);
        sync().map_err(DiskError::on(SYNC_DIRECTORY, directory))
    }

    fn try_lock(&self, path: &Path) -> Result<Lock, LockError> {
        let mut file = open_lock(path)?;
        for _ in 0..CHECKS_MAX {
            match file.try_lock() {
                Ok(()) => return Ok(taken(file)),
                Err(TryLockError::WouldBlock) => check(&mut file, path)?,
                Err(TryLockError::Error(error)) => {
                    return Err(DiskError::on("lock", path)(error).into());
                }
            }
            thread::sleep(CHECK_TIME);
        }
        // Another program shares the lock for longer than a check.
        Err(LockError::Held {
            path: path.to_owned(),
            pid: None,
        })
    }

    fn check_lock(&self, path: &Path) -> Result<(), LockError> {
        let opened = refuse_special(path).and_then(|()| File::open(path));
        match opened {
            Ok(mut file) => check(&mut file, path),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(DiskError::on("open lock", path)(error).into()),
        }
    }

    /// The system wakes waiters in order of arrival. A blocking lock call cannot be cancelled, so it runs in a
    /// thread. If the caller has given up by then, the thread releases the lock at once.
    fn lock(&self, path: &Path, patience: Duration) -> Result<Lock, LockError> {
        if patience.is_zero() {
            return self.try_lock(path);
        }
        match self.try_lock(path) {
            Err(LockError::Held { .. }) => {}
            taken => return taken,
        }
        let file = open_lock(path)?;
        let (tell, heard) = channel();
        let wait = move || {
            let locked = wait_for_lock(&file);
            // If the caller has timed out, the file is not delivered and is dropped, which releases the lock.
            drop(tell.send(locked.map(|()| file)));
        };
        let waiting = thread::Builder::new().spawn(wait);
        waiting.map_err(DiskError::on("wait for lock", path))?;
        match heard.recv_timeout(patience) {
            Ok(Ok(file)) => Ok(taken(file)),
            Ok(Err(error)) => Err(DiskError::on("lock", path)(error).into()),
            Err(_) => {
                // The lock may have arrived just when the time ran out.
                if let Ok(Ok(file)) = heard.try_recv() {
                    return Ok(taken(file));
                }
                drop(heard);
                // The lock may just have been released. If not, this reports the holder.
                self.try_lock(path)
            }
        }
    }

    fn wait(&self, time: Duration) {
        thread::sleep(time);
    }
}

/// Rejects paths whose opening would block. A missing path is accepted, because a file can be created there.
fn refuse_special(path: &Path) -> io::Result<()> {
    let Ok(metadata) = fs::metadata(path) else {
        return Ok(());
    };
    let kind = metadata.file_type();
    let reason = if kind.is_fifo() {
        "it is a named pipe, not a file"
    } else if kind.is_socket() {
        "it is a socket, not a file"
    } else {
        return Ok(());
    };
    Err(io::Error::new(io::ErrorKind::NotSeekable, reason))
}

/// Rejects replacing a device, pipe or socket, because other programs expect it at its path.
fn refuse_to_replace(path: &Path) -> io::Result<()> {
    let Ok(metadata) = fs::symlink_metadata(path) else {
        return Ok(());
    };
    let kind = metadata.file_type();
    if kind.is_file() || kind.is_dir() || kind.is_symlink() {
        return Ok(());
    }
    let reason = "it is not a regular file, so it is not replaced";
    Err(io::Error::new(io::ErrorKind::NotSeekable, reason))
}

/// Rejects devices: a file is read up to its length, and a device has none.
fn refuse_device(file: File) -> io::Result<File> {
    let kind = file.metadata()?.file_type();
    if kind.is_char_device() || kind.is_block_device() {
        let reason = "it is a device, not a file";
        return Err(io::Error::new(io::ErrorKind::NotSeekable, reason));
    }
    Ok(file)
}

fn open_lock(path: &Path) -> Result<File, DiskError> {
    let open = || {
        refuse_special(path)?;
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create(true);
        options.truncate(false).mode(FILE_MODE).open(path)
    };
    open().map_err(DiskError::on("open lock", path))
}

/// Fails if another process holds the lock of a file. Shares the lock for a moment, because the system offers no
/// other query.
fn check(file: &mut File, path: &Path) -> Result<(), LockError> {
    match file.try_lock_shared() {
        Ok(()) => Ok(file.unlock().map_err(DiskError::on("unlock", path))?),
        Err(TryLockError::WouldBlock) => Err(LockError::Held {
            path: path.to_owned(),
            pid: read_pid(file),
        }),
        Err(TryLockError::Error(error)) => Err(DiskError::on("lock", path)(error).into()),
    }
}

/// Waits for the lock and takes it.
fn wait_for_lock(file: &File) -> io::Result<()> {
    loop {
        match file.lock() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}

/// Writes the process id to a locked file and wraps the file.
fn taken(mut file: File) -> Lock {
    // The process id is only informative. The lock is valid without it, even on a full disk.
    file.set_len(0)
        .and_then(|()| write!(file, "{}", std::process::id()))
        .unwrap_or_default();
    Lock::new(file)
}

fn read_pid(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.take(PID_BYTES_MAX).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

#[derive(Debug)]
struct OsFile {
    file: File,
    path: PathBuf,
}

impl ReadAt for OsFile {
    fn len(&self) -> Result<u64, DiskError> {
        let metadata = self.file.metadata();
        Ok(metadata
            .map_err(DiskError::on("look at", &self.path))?
            .len())
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, DiskError> {
        let mut n_read = 0;
        while let Some(rest) = buffer.get_mut(n_read..).filter(|rest| !rest.is_empty()) {
            let position = offset.saturating_add(n_read as u64);
            match self.file.read_at(rest, position) {
                Ok(0) => break,
                Ok(n) => n_read += n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(DiskError::on("read", &self.path)(error)),
            }
        }
        Ok(n_read)
    }
}
