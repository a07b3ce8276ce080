//! Lists folders and reads text files, within size limits.
//!
//! Never shows a hidden file.

use std::io;

use base::disk::{DiskError, read_all};

use super::place::{FileAccessError, readable};
use crate::{FileError, Workspace, WorkspacePath};

/// Size limit in bytes of a file that is read or edited.
pub(super) const FILE_BYTES_MAX: u64 = 1024 * 1024;

/// Maximum number of names read from a folder; the rest is not listed.
const NAMES_MAX: usize = 1_000;

/// An entry of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedFile {
    pub name: String,
    /// What it is.
    pub kind: FileKind,
}

/// The kind of a folder entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    Folder,
    /// A file and its size in bytes.
    File(u64),
}

/// Lists a folder, or the workspace root for `None`, without files that tools may not see.
pub fn list_files(
    workspace: &Workspace,
    folder: Option<&WorkspacePath>,
) -> Result<Vec<ListedFile>, FileAccessError> {
    let disk = workspace.disk();
    let full = match folder {
        Some(folder) => {
            let full = readable(workspace, folder)?;
            match disk.stat(&full)? {
                Some(stat) if stat.is_dir => full,
                Some(_) => return Err(FileAccessError::NoFolder(folder.clone())),
                None => return Err(FileAccessError::NotFound(folder.clone())),
            }
        }
        None => workspace.root().to_owned(),
    };
    let mut listed = Vec::new();
    for name in disk.list(&full)?.into_iter().take(NAMES_MAX) {
        let Some(name) = name.to_str() else {
            continue;
        };
        let path = match folder {
            Some(folder) => format!("{folder}/{name}"),
            None => name.to_owned(),
        };
        let path = path.parse().ok();
        let Some(full) = path.and_then(|path| readable(workspace, &path).ok()) else {
            continue;
        };
        if let Some(stat) = disk.stat(&full)? {
            listed.push(ListedFile {
                name: name.to_owned(),
                kind: if stat.is_dir {
                    FileKind::Folder
                } else {
                    FileKind::File(stat.len)
                },
            });
        }
    }
    Ok(listed)
}

/// The text of a file.
pub fn read_file(workspace: &Workspace, path: &WorkspacePath) -> Result<String, FileAccessError> {
    let full = readable(workspace, path)?;
    text_of(workspace, path, &full)
}

pub(super) fn check_size(path: &WorkspacePath, n_bytes: u64) -> Result<(), FileError> {
    if n_bytes > FILE_BYTES_MAX {
        return Err(FileError::TooLarge {
            file: path.to_string(),
            n_bytes,
            n_bytes_max: FILE_BYTES_MAX,
        });
    }
    Ok(())
}

pub(super) fn text_of(
    workspace: &Workspace,
    path: &WorkspacePath,
    full: &std::path::Path,
) -> Result<String, FileAccessError> {
    let disk = workspace.disk();
    let path = path.clone();
    match disk.stat(full)? {
        None => return Err(FileAccessError::NotFound(path)),
        Some(stat) if stat.is_dir => return Err(FileAccessError::Folder(path)),
        Some(stat) => check_size(&path, stat.len)?,
    }
    let bytes = read_all(disk, full, FILE_BYTES_MAX).map_err(|error| found(error, &path))?;
    match String::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => Ok(text),
        Ok(_) | Err(_) => Err(FileAccessError::NotText(path)),
    }
}

/// Maps "not found": the file may disappear between `stat` and read.
fn found(error: DiskError, path: &WorkspacePath) -> FileAccessError {
    if error.kind() == io::ErrorKind::NotFound {
        FileAccessError::NotFound(path.clone())
    } else {
        error.into()
    }
}
