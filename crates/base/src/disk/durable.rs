//! The ways to write so that it survives a crash: append, replace a file as a whole, make a directory.
//!
//! Nothing else in the program may compose writes with syncs.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::{Disk, DiskError, read_all};

/// Adds bytes at the end of a file and makes them durable.
///
/// Durability: after a crash the file ends in any prefix of `bytes`; after `Ok` it ends in all of them.
///
/// # Errors
///
/// [`DiskError`]; the caller must then take the end of the file for unknown.
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

/// Puts bytes in the place of a file's content, or makes the file.
///
/// Durability: after a crash the file holds the old content or the new one, whole; a file
/// `.NAME.tmp` may stay behind and is overwritten by the next call.
///
/// # Errors
///
/// [`DiskError`]; the file then holds the old content or the new one, whole.
pub fn replace(disk: &dyn Disk, path: &Path, bytes: &[u8]) -> Result<(), DiskError> {
    let temporary = written_beside(disk, path, |temporary| disk.append(temporary, bytes))?;
    disk.rename(&temporary, path)?;
    sync_parent(disk, path)
}

/// Puts what `write` writes in the place of a file's content; however much it is, little of it is held.
///
/// Durability: as of [`replace`].
///
/// # Errors
///
/// [`DiskError`], also where `write` fails for a reason of its own; the file then holds the old content
/// or the new one, whole.
pub fn replace_with(
    disk: &dyn Disk,
    path: &Path,
    write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
) -> Result<(), DiskError> {
    let temporary = written_beside(disk, path, |temporary| fill(disk, temporary, write))?;
    disk.rename(&temporary, path)?;
    sync_parent(disk, path)
}

/// Makes a directory as a whole: `fill` writes into one beside it, which gets the name at the end.
///
/// Durability: after a crash the directory is there whole or not at all; `beside` may stay behind. All its
/// files are made durable at once, before it gets its name: that is quicker than one after the other.
///
/// # Errors
///
/// [`DiskError`], or what `fill` gives; `beside` may stay behind.
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

/// Writes a new file, for [`create_tree`], which makes it durable.
///
/// # Errors
///
/// [`DiskError`], also where `write` fails for a reason of its own; a part of the file may be there.
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

/// Bytes that are written at once.
const PART_BYTES: usize = 1024 * 1024;

/// Adds what is written to a file, in parts.
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

/// Whether a file was replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replaced {
    /// It was.
    Done,
    /// It holds something else than was expected; it was left as it is.
    Changed,
}

/// Puts bytes in the place of a file's content where it still holds `expected`; `None` stands for a file
/// that is not there.
///
/// The new bytes are on the disk before the comparison, so that nothing slow lies between it and the
/// change: what an editor saved in between is left as it is.
///
/// Durability: as of [`replace`].
///
/// # Errors
///
/// [`DiskError`]; the file then holds the old content or the new one, whole.
pub fn replace_unchanged(
    disk: &dyn Disk,
    path: &Path,
    expected: Option<&[u8]>,
    bytes: &[u8],
) -> Result<Replaced, DiskError> {
    let temporary = written_beside(disk, path, |temporary| disk.append(temporary, bytes))?;
    let found = match disk.stat(path)? {
        None => None,
        Some(stat) => Some(read_all(disk, path, stat.len)?),
    };
    if found.as_deref() != expected {
        disk.remove(&temporary)?;
        return Ok(Replaced::Changed);
    }
    disk.rename(&temporary, path)?;
    sync_parent(disk, path)?;
    Ok(Replaced::Done)
}

/// Removes a file where it holds what is expected, and leaves it where it does not.
///
/// Durability: as of [`remove`].
///
/// # Errors
///
/// [`DiskError`]; the file may or may not be there.
pub fn remove_unchanged(
    disk: &dyn Disk,
    path: &Path,
    expected: &[u8],
) -> Result<Replaced, DiskError> {
    if let Some(stat) = disk.stat(path)?
        && read_all(disk, path, stat.len)? != expected
    {
        return Ok(Replaced::Changed);
    }
    remove(disk, path)?;
    Ok(Replaced::Done)
}

/// Removes a file; one that is not there is no failure.
///
/// Durability: after `Ok` no crash brings it back.
///
/// # Errors
///
/// [`DiskError`]; the file may or may not be there.
pub fn remove(disk: &dyn Disk, path: &Path) -> Result<(), DiskError> {
    if disk.stat(path)?.is_none() {
        return Ok(());
    }
    disk.remove(path)?;
    sync_parent(disk, path)
}

/// Makes a directory with those above it; what is there is left as it is.
///
/// Durability: after `Ok` no crash takes away a directory that this call made.
///
/// # Errors
///
/// [`DiskError`]; some of the directories may have been made.
pub fn create_dir(disk: &dyn Disk, directory: &Path) -> Result<(), DiskError> {
    if directory.as_os_str().is_empty() || disk.stat(directory)?.is_some() {
        return Ok(());
    }
    if let Some(parent) = directory.parent() {
        create_dir(disk, parent)?;
    }
    disk.create_dir(directory)?;
    sync_parent(disk, directory)
}

/// Writes `.NAME.tmp` and makes it durable; one that was not written whole takes no room on a disk that has none.
fn written_beside(
    disk: &dyn Disk,
    path: &Path,
    write: impl FnOnce(&Path) -> Result<(), DiskError>,
) -> Result<PathBuf, DiskError> {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".tmp");
    let temporary = path.with_file_name(name);
    if disk.stat(&temporary)?.is_some() {
        disk.remove(&temporary)?;
    }
    let written = write(&temporary).and_then(|()| disk.sync(&temporary));
    if let Err(error) = written {
        // Where that fails as well, the next call overwrites it.
        disk.remove(&temporary).unwrap_or_default();
        return Err(error);
    }
    Ok(temporary)
}

fn sync_parent(disk: &dyn Disk, path: &Path) -> Result<(), DiskError> {
    match path.parent() {
        Some(parent) => disk.sync_dir(parent),
        None => Ok(()),
    }
}

#[cfg(test)]
#[path = "durable_tests.rs"]
mod tests;
