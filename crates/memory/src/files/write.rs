//! Writes and edits text files.
//!
//! Never changes a file that it did not read, and keeps what it writes over.

use std::path::Path;

use base::Timestamp;
use base::disk::{DiskError, Replaced, replace, replace_unchanged};

use super::place::{FileError, writable};
use super::read::{FILE_BYTES_MAX, text_of};
use crate::{Workspace, WorkspacePath};

/// What may become of a file that is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writing {
    /// It stays, and nothing is written.
    New,
    /// Its content is replaced, and kept for a while.
    Replace,
}

/// Writes a file, with the folders above it.
pub fn write_file(
    workspace: &Workspace,
    path: &WorkspacePath,
    (text, writing): (&str, Writing),
    now: Timestamp,
) -> Result<(), FileError> {
    let full = writable(workspace, path)?;
    let before = match text_of(workspace, path, &full) {
        Ok(before) => Some(before),
        Err(FileError::NotFound(..)) => None,
        Err(error) => return Err(error),
    };
    if before.is_some() && writing == Writing::New {
        return Err(FileError::Exists(path.clone()));
    }
    put(workspace, path, (before.as_deref(), text), now)
}

/// Puts new text in the place of a passage that stands once in a file; gives the line of the passage.
pub fn edit_file(
    workspace: &Workspace,
    path: &WorkspacePath,
    (old, new): (&str, &str),
    now: Timestamp,
) -> Result<usize, FileError> {
    let full = writable(workspace, path)?;
    let before = text_of(workspace, path, &full)?;
    let n_found = match old {
        "" => 0,
        old => before.matches(old).count(),
    };
    let Some((head, tail)) = before.split_once(old).filter(|_| n_found == 1) else {
        let path = path.clone();
        return Err(FileError::NotOnce(path, n_found));
    };
    let after = format!("{head}{new}{tail}");
    let line = head.matches('\n').count() + 1;
    put(workspace, path, (Some(&before), &after), now)?;
    Ok(line)
}

/// Durability: the file holds what it held or the new text, whole; what it held is kept before.
fn put(
    workspace: &Workspace,
    path: &WorkspacePath,
    (before, after): (Option<&str>, &str),
    now: Timestamp,
) -> Result<(), FileError> {
    let n_bytes = after.len() as u64;
    if n_bytes > FILE_BYTES_MAX {
        return Err(FileError::TooLarge {
            path: path.clone(),
            n_bytes,
            most: FILE_BYTES_MAX,
        });
    }
    let full = writable(workspace, path)?;
    if let Some(before) = before {
        keep(workspace, (&full, before.as_bytes()), now)?;
    }
    if let Some(folder) = full.parent() {
        workspace.make_dir(folder)?;
    }
    let expected = before.map(str::as_bytes);
    match replace_unchanged(workspace.disk(), &full, expected, after.as_bytes())? {
        Replaced::Done => Ok(()),
        Replaced::Changed => Err(FileError::Changed(path.clone())),
    }
}

/// How long they are kept.
const AGE_MAX: chrono::TimeDelta = chrono::TimeDelta::days(30);

/// How many are kept at most.
const COUNT_MAX: usize = 100;

/// The part of a file's name that is kept, in characters: with the time before it, it must be a name.
const NAME_CHARS_MAX: usize = 60;

/// Keeps what a file holds, and gives the name under which it is kept; what is too old or too many goes.
pub(super) fn keep(
    workspace: &Workspace,
    (path, bytes): (&Path, &[u8]),
    now: Timestamp,
) -> Result<String, DiskError> {
    let directory = workspace.layout().overwritten();
    workspace.make_dir(&directory)?;
    let at = now.format("%Y%m%dT%H%M%S%.3fZ");
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name: String = name.chars().take(NAME_CHARS_MAX).collect();
    let disk = workspace.disk();
    let kept_as = format!("{at}-{name}");
    replace(disk, &directory.join(&kept_as), bytes)?;
    // Names begin with the time: the oldest stand first.
    let kept = disk.list(&directory)?;
    let n_over = kept.len().saturating_sub(COUNT_MAX);
    for (index, name) in kept.iter().enumerate() {
        let path = directory.join(name);
        let stat = disk.stat(&path)?;
        let modified_at = stat.and_then(|stat| stat.modified_at);
        if index < n_over || modified_at.is_some_and(|at| at + AGE_MAX < now) {
            disk.remove(&path)?;
        }
    }
    Ok(kept_as)
}

#[cfg(test)]
#[path = "write_tests.rs"]
mod tests;
