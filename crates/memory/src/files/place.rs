//! Resolves the paths of tools and checks what tools may do there.
//!
//! Never opens a file.

use std::path::{Path, PathBuf};

use base::disk::DiskError;

use crate::workspace::LOGS;
use crate::{Workspace, WorkspacePath};

/// The settings of the workspace. A tool that could write them could start any program.
const SETTINGS: &str = "config.yaml";

/// A tool cannot use the file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// A symlink leads out of the workspace.
    #[error("{0} points outside the workspace")]
    Outside(WorkspacePath),
    /// The file is hidden from tools.
    #[error("{0} is hidden from tools, like settings and names that begin with a dot")]
    Hidden(WorkspacePath),
    /// Only memory or the owner writes the file.
    #[error(
        "{0} is read-only for tools: top-level Markdown and {LOGS}/ are memory; write to another \
         folder, such as files/NAME.md"
    )]
    Reserved(WorkspacePath),
    /// The file does not exist.
    #[error("there is no {0} in the workspace")]
    NotFound(WorkspacePath),
    /// It is a folder.
    #[error("{0} is a folder")]
    Folder(WorkspacePath),
    /// It is not a folder.
    #[error("{0} is not a folder")]
    NoFolder(WorkspacePath),
    /// It is not UTF-8 or contains NUL.
    #[error("{0} is not text")]
    NotText(WorkspacePath),
    /// It is too large.
    #[error("{path} has {n_bytes} bytes; the limit is {most}")]
    TooLarge {
        /// The path.
        path: WorkspacePath,
        /// Its size, or the size of the new content.
        n_bytes: u64,
        /// The limit in bytes.
        most: u64,
    },
    /// The file exists already.
    #[error("{0} already exists; edit it, or set `replace`")]
    Exists(WorkspacePath),
    /// The passage to replace is not unique: path, number of matches.
    #[error("the old text occurs {1} times in {0}; it must occur once")]
    NotOnce(WorkspacePath, usize),
    /// Another program saved it at the same moment.
    #[error("{0} changed in the meantime; read it again")]
    Changed(WorkspacePath),
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

/// Whether memory reads the file or it steers the assistant: top-level Markdown and the folder of logs.
/// Also matches `Memory`, `memory.` and `memory `, which some file systems treat as `memory`.
pub fn is_memory(path: &WorkspacePath) -> bool {
    let (first, rest) = match path.as_str().split_once('/') {
        Some((first, rest)) => (first, Some(rest)),
        None => (path.as_str(), None),
    };
    let first = without_end(first);
    let is_markdown = || {
        let ending = Path::new(first).extension();
        ending.is_some_and(|ending| ending.eq_ignore_ascii_case("md"))
    };
    first.eq_ignore_ascii_case(LOGS) || (rest.is_none() && is_markdown())
}

/// Strips trailing dots and whitespace, which some file systems ignore.
fn without_end(name: &str) -> &str {
    name.trim_end_matches(|end: char| end == '.' || end.is_whitespace())
}

fn is_hidden(path: &WorkspacePath) -> bool {
    let path = path.as_str();
    without_end(path).eq_ignore_ascii_case(SETTINGS)
        || path.split('/').any(|name| name.starts_with('.'))
}

/// Resolves a path that a tool may read, following symlinks.
pub(super) fn readable(workspace: &Workspace, path: &WorkspacePath) -> Result<PathBuf, FileError> {
    located(workspace, path).map(|(full, _)| full)
}

/// Resolves a path that a tool may write, following symlinks.
pub(super) fn writable(workspace: &Workspace, path: &WorkspacePath) -> Result<PathBuf, FileError> {
    let (full, inside) = located(workspace, path)?;
    if is_memory(path) || is_memory(&inside) {
        return Err(FileError::Reserved(path.clone()));
    }
    Ok(full)
}

/// The path of a file relative to the workspace, with symlinks resolved.
pub fn real_path(workspace: &Workspace, path: &WorkspacePath) -> Result<WorkspacePath, FileError> {
    located(workspace, path).map(|(_, inside)| inside)
}

fn located(
    workspace: &Workspace,
    path: &WorkspacePath,
) -> Result<(PathBuf, WorkspacePath), FileError> {
    let disk = workspace.disk();
    let root = disk.resolve(workspace.root())?;
    let full = disk.resolve(&path.under(workspace.root()))?;
    let inside = full.strip_prefix(&root).ok().and_then(Path::to_str);
    let inside = inside.and_then(|inside| inside.parse::<WorkspacePath>().ok());
    let Some(inside) = inside else {
        return Err(FileError::Outside(path.clone()));
    };
    if is_hidden(path) || is_hidden(&inside) {
        return Err(FileError::Hidden(path.clone()));
    }
    Ok((full, inside))
}
