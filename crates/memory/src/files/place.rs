//! Resolves the paths of tools and checks the permissions of tools there.
//!
//! Never opens a file.

use std::path::{Path, PathBuf};

use crate::file_error::file_error_from_disk;
use crate::workspace::{FILES, LOGS};
use crate::{FileError, Workspace, WorkspacePath};

/// The settings of the workspace. A tool that could write them could start any program.
const SETTINGS: &str = "config.yaml";

/// A tool cannot use the file.
#[derive(Debug, thiserror::Error)]
pub enum FileAccessError {
    /// The file is hidden from tools.
    #[error("{0} is hidden from tools, like settings and names that begin with a dot")]
    Hidden(WorkspacePath),
    /// Only memory or the owner writes the file.
    #[error(
        "{0} is read-only for tools: Markdown and {LOGS}/ are memory; write to {FILES}/, such as \
         {FILES}/NAME.md"
    )]
    Reserved(WorkspacePath),
    /// The file does not exist.
    #[error("there is no {0} in the workspace")]
    NotFound(WorkspacePath),
    #[error("{0} is a folder")]
    Folder(WorkspacePath),
    /// It is not a folder.
    #[error("{0} is not a folder")]
    NoFolder(WorkspacePath),
    /// It is not UTF-8 or contains NUL.
    #[error("{0} is not text")]
    NotText(WorkspacePath),
    /// The file exists already.
    #[error("{0} already exists; edit it, or set `replace`")]
    Exists(WorkspacePath),
    /// The passage to replace is not unique: path, number of matches.
    #[error("the old text occurs {1} times in {0}; it must occur once")]
    NotOnce(WorkspacePath, usize),
    /// The file cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
}

file_error_from_disk!(FileAccessError);

/// Whether memory reads the file or it steers the assistant: Markdown outside the folder that tools write to, and the
/// folder of logs. Also matches `Memory`, `memory.` and `memory `, which some file systems treat as `memory`.
pub fn is_memory(path: &WorkspacePath) -> bool {
    let first = path.as_str().split('/').next().unwrap_or_default();
    let ending = Path::new(without_end(path.as_str())).extension();
    let is_markdown = ending.is_some_and(|ending| ending.eq_ignore_ascii_case("md"));
    // `files.` is another folder on most systems, whose pages would be the owner's.
    without_end(first).eq_ignore_ascii_case(LOGS) || (is_markdown && first != FILES)
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
pub(super) fn readable(
    workspace: &Workspace,
    path: &WorkspacePath,
) -> Result<PathBuf, FileAccessError> {
    located(workspace, path).map(|(full, _)| full)
}

/// Resolves a path that a tool may write, following symlinks.
pub(super) fn writable(
    workspace: &Workspace,
    path: &WorkspacePath,
) -> Result<PathBuf, FileAccessError> {
    let (full, inside) = located(workspace, path)?;
    if is_memory(path) || is_memory(&inside) {
        return Err(FileAccessError::Reserved(path.clone()));
    }
    Ok(full)
}

/// The path of a file relative to the workspace, with symlinks resolved.
pub fn real_path(
    workspace: &Workspace,
    path: &WorkspacePath,
) -> Result<WorkspacePath, FileAccessError> {
    located(workspace, path).map(|(_, inside)| inside)
}

fn located(
    workspace: &Workspace,
    path: &WorkspacePath,
) -> Result<(PathBuf, WorkspacePath), FileAccessError> {
    let disk = workspace.disk();
    let root = disk.resolve(workspace.root())?;
    let full = disk.resolve(&path.under(workspace.root()))?;
    let inside = full.strip_prefix(&root).ok().and_then(Path::to_str);
    let inside = inside.and_then(|inside| inside.parse::<WorkspacePath>().ok());
    let Some(inside) = inside else {
        return Err(FileError::Outside(path.to_string(), full).into());
    };
    if is_hidden(path) || is_hidden(&inside) {
        return Err(FileAccessError::Hidden(path.clone()));
    }
    Ok((full, inside))
}
