//! Writes and edits text files.
//!
//! Never overwrites content that it has not read, and keeps a copy of what it overwrites.

use std::path::Path;

use base::Timestamp;
use base::disk::{Disk, DiskError, read_all, replace};

use super::place::{FileAccessError, writable};
use super::read::{FILE_BYTES_MAX, check_size, text_of};
use crate::kept_copies::{self, CopyLimits};
use crate::workspace_file::WorkspaceFile;
use crate::{Workspace, WorkspacePath};

/// Whether to overwrite an existing file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteMode {
    /// Fail if the file exists.
    New,
    /// Replace its content and keep a copy for a while.
    Replace,
}

/// Writes a file; creates missing parent folders.
pub fn write_file(
    workspace: &Workspace,
    path: &WorkspacePath,
    (text, writing): (&str, WriteMode),
    now: Timestamp,
) -> Result<(), FileAccessError> {
    let full = writable(workspace, path)?;
    let before = match text_of(workspace, path, &full) {
        Ok(before) => Some(before),
        Err(FileAccessError::NotFound(..)) => None,
        Err(error) => return Err(error),
    };
    if before.is_some() && writing == WriteMode::New {
        return Err(FileAccessError::Exists(path.clone()));
    }
    put(workspace, path, (before.as_deref(), text), now)
}

/// Replaces a passage that occurs exactly once in a file; returns its line, from 1.
pub fn edit_file(
    workspace: &Workspace,
    path: &WorkspacePath,
    (old, new): (&str, &str),
    now: Timestamp,
) -> Result<usize, FileAccessError> {
    let full = writable(workspace, path)?;
    let before = text_of(workspace, path, &full)?;
    let n_found = match old {
        "" => 0,
        old => before.matches(old).count(),
    };
    let Some((head, tail)) = before.split_once(old).filter(|_| n_found == 1) else {
        let path = path.clone();
        return Err(FileAccessError::NotOnce(path, n_found));
    };
    let after = format!("{head}{new}{tail}");
    let line = head.matches('\n').count() + 1;
    put(workspace, path, (Some(&before), &after), now)?;
    Ok(line)
}

/// Durability: a crash leaves either the old or the new content; the old content is kept first.
fn put(
    workspace: &Workspace,
    path: &WorkspacePath,
    (before, after): (Option<&str>, &str),
    now: Timestamp,
) -> Result<(), FileAccessError> {
    check_size(path, after.len() as u64)?;
    let full = writable(workspace, path)?;
    if let Some(before) = before {
        keep(workspace, (&full, before.as_bytes()), now)?;
    }
    let file = WorkspaceFile::new(workspace, full, FILE_BYTES_MAX);
    Ok(file.overwrite(before.map(str::as_bytes), after.as_bytes())?)
}

const LIMITS: CopyLimits = CopyLimits {
    age: chrono::TimeDelta::days(30),
    count: 100,
};

/// Length limit of the file name within the name of a copy, in characters.
const NAME_CHARS_MAX: usize = 60;

/// The end of the name of each copy of a file.
pub(super) fn copy_suffix(file_name: &str) -> String {
    let name: String = file_name.chars().take(NAME_CHARS_MAX).collect();
    format!("-{name}")
}

/// Writes a copy of `bytes` and returns its name; deletes copies above the limits of age and count.
pub(crate) fn keep(
    workspace: &Workspace,
    (path, bytes): (&Path, &[u8]),
    now: Timestamp,
) -> Result<String, DiskError> {
    let directory = workspace.layout().overwritten();
    workspace.make_dir(&directory)?;
    let suffix = copy_suffix(&path.file_name().unwrap_or_default().to_string_lossy());
    let disk = workspace.disk();
    let at = now.format("%Y%m%dT%H%M%S%.3fZ").to_string();
    // A copy is never older than the one before it, even if the clock was set back or has not moved.
    let newest = copy_names(disk, &directory, &suffix)?.pop();
    let kept_as = match newest.map(|name| copy_order(&name, &suffix)) {
        // `~` sorts behind `-`.
        Some((newest, number)) if newest >= at => format!("{newest}~{}{suffix}", number + 1),
        Some(_) | None => format!("{at}{suffix}"),
    };
    replace(disk, &directory.join(&kept_as), bytes)?;
    kept_copies::prune(disk, (&directory, |_| true), LIMITS, now)?;
    Ok(kept_as)
}

/// The names of the copies of a file, oldest first.
fn copy_names(disk: &dyn Disk, directory: &Path, suffix: &str) -> Result<Vec<String>, DiskError> {
    let names = disk.list(directory)?.into_iter();
    let names = names.filter_map(|name| Some(name.to_str()?.to_owned()));
    // The time has no hyphen: with one, it is the copy of a file with a longer name.
    let is_own = |name: &String| {
        name.find('-')
            .is_some_and(|at| name.split_at(at).1 == suffix)
    };
    let mut names: Vec<String> = names.filter(is_own).collect();
    names.sort_by_key(|name| copy_order(name, suffix));
    Ok(names)
}

/// The time in the name of a copy, and the number of the copy among those of the same time.
fn copy_order(name: &str, suffix: &str) -> (String, u64) {
    let own = name.strip_suffix(suffix).unwrap_or(name);
    let (at, number) = own.split_once('~').unwrap_or((own, "0"));
    (at.to_owned(), number.parse().unwrap_or_default())
}

/// The name of a copy and its contents, or why they cannot be read.
pub(crate) type FileCopy = (String, Result<Vec<u8>, DiskError>);

/// The copies of a file, newest first.
pub(crate) fn copies_of(
    workspace: &Workspace,
    file_name: &str,
) -> Result<Vec<FileCopy>, DiskError> {
    let directory = workspace.layout().overwritten();
    let names = copy_names(workspace.disk(), &directory, &copy_suffix(file_name))?;
    let newest = names.into_iter().rev();
    let read = newest.map(|name| {
        let read = read_all(workspace.disk(), &directory.join(&name), FILE_BYTES_MAX);
        (name, read)
    });
    Ok(read.collect())
}

#[cfg(test)]
#[path = "write_tests.rs"]
mod tests;
