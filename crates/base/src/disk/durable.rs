//! Crash-safe writes: append, replace a whole file, create a directory.
//!
//! No other module may combine writes with syncs.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::{Disk, DiskError, read_all};

/// Appends bytes to a file and makes them durable.
///
/// Durability: after a crash the file ends with any prefix of `bytes`; after `Ok` it ends with all of them.
///
/// # Errors
///
/// [`DiskError`]; the end of the file is then unknown.
pub fn append(disk: &dyn Disk, path: &Path, bytes: &[u8]) -> Result<(), DiskError> {
    let is_new = disk.stat(path)?.is_none();
    disk.append(path, bytes)?;
    disk.sync(path)?;
    if is_new {
        sync_parent(disk, path)
    } else {
        Ok(())
    }
}

/// Appends bytes to a file that several writers share under a lock; see [`SharedAppend::make_durable`].
///
/// The name of a new file is durable at once, because later writers sync only its content.
///
/// # Errors
///
/// [`DiskError`]; the end of the file is then unknown.
pub fn append_shared(
    disk: &dyn Disk,
    path: &Path,
    bytes: &[u8],
) -> Result<SharedAppend, DiskError> {
    if disk.stat(path)?.is_none() {
        append(disk, path, bytes)?;
    } else {
        disk.append(path, bytes)?;
    }
    Ok(SharedAppend {
        path: path.to_owned(),
    })
}

/// Bytes that were appended and may not be durable yet.
#[derive(Debug)]
#[must_use = "the bytes may be lost in a crash until they are durable"]
pub struct SharedAppend {
    path: PathBuf,
}

impl SharedAppend {
    /// Makes the bytes durable. Does not need the lock, so that the disk can serve several writers with one sync.
    ///
    /// # Errors
    ///
    /// [`DiskError`]; the end of the file is then unknown.
    pub fn make_durable(self, disk: &dyn Disk) -> Result<(), DiskError> {
        disk.sync(&self.path)
    }
}

/// Replaces the content of a file, or creates it.
///
/// Durability: after a crash the file has either all of the old content or all of the new. A file `.NAME.tmp` may
/// remain, which the next call overwrites.
///
/// # Errors
///
/// [`DiskError`]; the file then has either the old content or the new, complete.
pub fn replace(disk: &dyn Disk, path: &Path, bytes: &[u8]) -> Result<(), DiskError> {
    replace_through(disk, (&temporary_of(path), path), bytes)
}

/// Like [`replace`], but writes the new content to `temporary` first, which only one process at a time may use.
///
/// # Errors
///
/// [`DiskError`]; the file then has either the old content or the new, complete.
pub fn replace_through(
    disk: &dyn Disk,
    (temporary, path): (&Path, &Path),
    bytes: &[u8],
) -> Result<(), DiskError> {
    write_temporary(disk, (temporary, path), |it| disk.append(it, bytes))?;
    disk.rename(temporary, path)?;
    sync_parent(disk, path)
}

/// Replaces the content of a file with the output of `write`, of which only a part is in memory at a time.
///
/// Durability: that of [`replace`].
///
/// # Errors
///
/// [`DiskError`], for example if `write` fails; the file then has either the old content or the new, complete.
pub fn replace_with(
    disk: &dyn Disk,
    path: &Path,
    write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
) -> Result<(), DiskError> {
    let temporary = written_beside(disk, path, |temporary| fill(disk, temporary, write))?;
    disk.rename(&temporary, path)?;
    sync_parent(disk, path)
}

/// Creates a directory atomically: `fill` writes into the path `beside`, which is then renamed.
///
/// Durability: after a crash the directory exists completely or not at all; `beside` may remain. A single sync before
/// the rename covers all files, which is faster than syncing each of them.
///
/// # Errors
///
/// [`DiskError`], or the error of `fill`; `beside` may remain.
pub fn create_tree<E: From<DiskError>>(
    disk: &dyn Disk,
    (beside, directory): (&Path, &Path),
    fill: impl FnOnce() -> Result<(), E>,
) -> Result<(), E> {
    create_dir(disk, beside)?;
    fill()?;
    disk.sync_tree(beside)?;
    disk.rename(beside, directory)?;
    Ok(sync_parent(disk, directory)?)
}

/// Writes a new file for [`create_tree`], which makes it durable.
///
/// # Errors
///
/// [`DiskError`], for example if `write` fails; a part of the file may then exist.
pub fn fill(
    disk: &dyn Disk,
    path: &Path,
    write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
) -> Result<(), DiskError> {
    disk.append(path, &[])?;
    let mut appending = Appending {
        disk,
        path,
        waiting: Vec::new(),
        failure: None,
    };
    let written = write(&mut appending).and_then(|()| appending.flush());
    match appending.failure {
        Some(failure) => Err(failure),
        None => written.map_err(DiskError::on("write", path)),
    }
}

/// Number of bytes per append.
const PART_BYTES: usize = 1024 * 1024;

/// Buffers writes and appends them to a file in parts.
struct Appending<'a> {
    disk: &'a dyn Disk,
    path: &'a Path,
    waiting: Vec<u8>,
    failure: Option<DiskError>,
}

impl Write for Appending<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() >= PART_BYTES {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let added = self.disk.append(self.path, &self.waiting);
        self.waiting.clear();
        added.map_err(|failure| {
            let copy = io::Error::new(failure.kind(), failure.to_string());
            self.failure = Some(failure);
            copy
        })
    }
}

/// The outcome of replacing or removing a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplaceOutcome {
    /// The file was replaced or removed.
    Done,
    /// The file does not have the expected content, and was left unchanged.
    Changed,
}

/// Replaces the content of a file if it still is `expected`; `None` means that the file must not exist.
///
/// The new bytes are written before the comparison, so that the rename directly follows it. The comparison detects
/// changes that an editor saved up to that moment.
///
/// Durability: that of [`replace`].
///
/// # Errors
///
/// [`DiskError`]; the file then has either the old content or the new, complete.
pub fn replace_unchanged(
    disk: &dyn Disk,
    path: &Path,
    expected: Option<&[u8]>,
    bytes: &[u8],
) -> Result<ReplaceOutcome, DiskError> {
    let temporary = written_beside(disk, path, |temporary| disk.append(temporary, bytes))?;
    rename_unchanged(disk, &temporary, (path, expected))
}

/// Replaces the content of another program's file as [`replace_unchanged`] does, but keeps the mode of the file and
/// needs no lock, because each process uses its own temporary file.
///
/// Durability: that of [`replace`], but after a crash the mode may be 0600, and the file that may remain is
/// `.NAME.PID.tmp`.
///
/// # Errors
///
/// [`DiskError`]; the file then has either the old content or the new, complete.
pub fn replace_foreign(
    disk: &dyn Disk,
    path: &Path,
    expected: Option<&[u8]>,
    bytes: &[u8],
) -> Result<ReplaceOutcome, DiskError> {
    let mut own = path.as_os_str().to_owned();
    own.push(format!(".{}", std::process::id()));
    let written = written_beside(disk, own.as_ref(), |beside| disk.append(beside, bytes));
    let temporary = written.map_err(|error| DiskError {
        path: path.to_owned(),
        ..error
    })?;
    disk.copy_mode(path, &temporary)?;
    rename_unchanged(disk, &temporary, (path, expected))
}

fn rename_unchanged(
    disk: &dyn Disk,
    temporary: &Path,
    (path, expected): (&Path, Option<&[u8]>),
) -> Result<ReplaceOutcome, DiskError> {
    if !holds(disk, path, expected)? {
        disk.remove(temporary)?;
        return Ok(ReplaceOutcome::Changed);
    }
    disk.rename(temporary, path)?;
    sync_parent(disk, path)?;
    Ok(ReplaceOutcome::Done)
}

/// Removes a file if its content still is `expected`.
///
/// Durability: that of [`remove`].
///
/// # Errors
///
/// [`DiskError`]; the file may or may not exist.
pub fn remove_unchanged(
    disk: &dyn Disk,
    path: &Path,
    expected: &[u8],
) -> Result<ReplaceOutcome, DiskError> {
    // A missing file counts as removed.
    if !holds(disk, path, Some(expected))? && !holds(disk, path, None)? {
        return Ok(ReplaceOutcome::Changed);
    }
    remove(disk, path)?;
    Ok(ReplaceOutcome::Done)
}

/// Whether the content of a file is `expected`; `None` means that it is missing. Another process may replace the file
/// at any time.
fn holds(disk: &dyn Disk, path: &Path, expected: Option<&[u8]>) -> Result<bool, DiskError> {
    let len_max = expected.map_or(0, |bytes| bytes.len() as u64);
    match read_all(disk, path, len_max) {
        Ok(found) => Ok(Some(found.as_slice()) == expected),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(expected.is_none()),
        Err(error) if error.kind() == io::ErrorKind::FileTooLarge => Ok(false),
        Err(error) => Err(error),
    }
}

/// Removes a file; ignores a missing one.
///
/// Durability: after `Ok` the file stays removed after a crash.
///
/// # Errors
///
/// [`DiskError`]; the file may or may not exist.
pub fn remove(disk: &dyn Disk, path: &Path) -> Result<(), DiskError> {
    if disk.stat(path)?.is_none() {
        return Ok(());
    }
    disk.remove(path)?;
    sync_parent(disk, path)
}

/// Creates a directory and its missing parents; leaves an existing one as it is.
///
/// Durability: after `Ok` every directory that this call created survives a crash.
///
/// # Errors
///
/// [`DiskError`]; some of the directories may have been created.
pub fn create_dir(disk: &dyn Disk, directory: &Path) -> Result<(), DiskError> {
    if directory.as_os_str().is_empty() || disk.stat(directory)?.is_some() {
        return Ok(());
    }
    create_parent(disk, directory)?;
    disk.create_dir(directory)?;
    sync_parent(disk, directory)
}

/// Creates the parent directory of `path`, like [`create_dir`].
///
/// # Errors
///
/// [`DiskError`]; some of the directories may have been created.
pub fn create_parent(disk: &dyn Disk, path: &Path) -> Result<(), DiskError> {
    path.parent().map_or(Ok(()), |it| create_dir(disk, it))
}

/// The path `.NAME.tmp` in the same directory as a file, which is written first and then renamed to the file.
pub fn temporary_of(path: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".tmp");
    path.with_file_name(name)
}

/// The name of the file that a temporary file is renamed to; `None` if [`temporary_of`] never returns such a name.
pub fn target_of_temporary(name: &Path) -> Option<&Path> {
    let name = name.as_os_str().as_bytes();
    let target = name.strip_prefix(b".")?.strip_suffix(b".tmp")?;
    (!target.is_empty()).then(|| Path::new(OsStr::from_bytes(target)))
}

/// Writes `.NAME.tmp` and makes it durable. An incomplete one is removed, which frees its space on a full disk.
fn written_beside(
    disk: &dyn Disk,
    path: &Path,
    write: impl FnOnce(&Path) -> Result<(), DiskError>,
) -> Result<PathBuf, DiskError> {
    let temporary = temporary_of(path);
    write_temporary(disk, (&temporary, path), write)?;
    Ok(temporary)
}

fn write_temporary(
    disk: &dyn Disk,
    (temporary, path): (&Path, &Path),
    write: impl FnOnce(&Path) -> Result<(), DiskError>,
) -> Result<(), DiskError> {
    if disk.stat(temporary)?.is_some() {
        disk.remove(temporary)?;
    }
    let written = write(temporary).and_then(|()| disk.sync(temporary));
    if let Err(error) = written {
        // If this fails as well, the next call overwrites the file.
        disk.remove(temporary).unwrap_or_default();
        // The caller knows only the name of the file to replace.
        let act = if error.is_sync() { error.act } else { "write" };
        let path = path.to_owned();
        return Err(DiskError { act, path, ..error });
    }
    Ok(())
}

fn sync_parent(disk: &dyn Disk, path: &Path) -> Result<(), DiskError> {
    path.parent().map_or(Ok(()), |parent| disk.sync_dir(parent))
}

#[cfg(test)]
#[path = "durable_tests.rs"]
mod tests;
