//! Where a path of a tool leads, and what may be done there.
//!
//! Opens nothing.

use std::path::{Path, PathBuf};

use base::disk::DiskError;

use crate::workspace::LOGS;
use crate::{Workspace, WorkspacePath};

/// Settings of the workspace: a tool that could write them could let any program be started.
const SETTINGS: &str = "config.yaml";

/// A file that a tool cannot use.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// A link leads out of the workspace.
    #[error("{0} leads out of the workspace")]
    Outside(WorkspacePath),
    /// The file is none of those that are shown.
    #[error("{0} is hidden from tools, as settings and all names that begin with a dot are")]
    Hidden(WorkspacePath),
    /// Memory alone writes it, or the owner.
    #[error(
        "{0} is not written by tools: Markdown beside the folders and {LOGS}/ are memory; write into \
         another folder, such as files/NAME.md"
    )]
    Reserved(WorkspacePath),
    /// There is nothing.
    #[error("there is no {0} in the workspace")]
    NotFound(WorkspacePath),
    /// It is a folder.
    #[error("{0} is a folder")]
    Folder(WorkspacePath),
    /// It is no folder.
    #[error("{0} is no folder")]
    NoFolder(WorkspacePath),
    /// It is not UTF-8, or holds what no text holds.
    #[error("{0} is not text")]
    NotText(WorkspacePath),
    /// It is too large.
    #[error("{path} has {n_bytes} bytes; at most {most} are taken")]
    TooLarge {
        /// The path.
        path: WorkspacePath,
        /// Its size, or that of what would be written.
        n_bytes: u64,
        /// The bound.
        most: u64,
    },
    /// It is there already.
    #[error("{0} is there already; edit it, or say that it is to be replaced")]
    Exists(WorkspacePath),
    /// The passage to be edited is not found once, but so often.
    #[error("the old text stands {1} times in {0}; it must stand there once")]
    NotOnce(WorkspacePath, usize),
    /// Somebody saved it at the same moment.
    #[error("{0} was changed at the same moment; read it again")]
    Changed(WorkspacePath),
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

/// Whether memory reads a file, or it steers the assistant: Markdown at the top, and the folder of logs.
/// File systems that take `Memory`, `memory.` or `memory ` for `memory` are thought of.
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

/// A name without the dots and blanks at its end, which some file systems leave out.
fn without_end(name: &str) -> &str {
    name.trim_end_matches(|end: char| end == '.' || end.is_whitespace())
}

fn is_hidden(path: &WorkspacePath) -> bool {
    let path = path.as_str();
    without_end(path).eq_ignore_ascii_case(SETTINGS)
        || path.split('/').any(|name| name.starts_with('.'))
}

/// Where a path leads once all links are followed.
pub(super) fn readable(workspace: &Workspace, path: &WorkspacePath) -> Result<PathBuf, FileError> {
    located(workspace, path).map(|(full, _)| full)
}

/// The same where a tool may write.
pub(super) fn writable(workspace: &Workspace, path: &WorkspacePath) -> Result<PathBuf, FileError> {
    let (full, inside) = located(workspace, path)?;
    if is_memory(path) || is_memory(&inside) {
        return Err(FileError::Reserved(path.clone()));
    }
    Ok(full)
}

/// The path under which a file really stands in the workspace.
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
