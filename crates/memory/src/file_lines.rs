//! Reads lines of a note in the form that search shows.
//!
//! Never reads a file that search does not cover, and never follows a symlink out of the workspace.

use base::disk::read_all;
use base::{LineRange, counted, redact_lines};

use crate::file_error::file_error_from_disk;
use crate::note_folder::decoded;
use crate::note_text::MemoryText;
use crate::owner_files::unsearched_files;
use crate::tombstone::{hidden_lines, load_tombstones};
use crate::workspace::{FILES, LOGS, is_of_template};
use crate::{FileError, Workspace, WorkspacePath};

/// Size limit of a note in bytes.
const FILE_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// Lines of a note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileLines {
    /// Their line numbers.
    pub lines: LineRange,
    /// Their text, without our comments and with secrets removed.
    pub text: String,
    /// Number of lines in the whole file.
    pub n_lines: usize,
}

/// The lines could not be read.
#[derive(Debug, thiserror::Error)]
pub enum FileLinesError {
    /// Search does not cover the file.
    #[error(
        "{0} is not searched; notes are *.md in the workspace, except {steering} and {FILES}/",
        steering = unsearched_files().collect::<Vec<_>>().join(", ")
    )]
    NotSearched(WorkspacePath),
    /// The settings of its folder leave the file out, or it is not UTF-8.
    #[error(
        "{0} is left out of memory: by the settings of its folder, or because it is not UTF-8 text"
    )]
    LeftOut(WorkspacePath),
    /// The file does not exist.
    #[error("there is no {0} in the workspace")]
    NotFound(WorkspacePath),
    /// The file does not have these lines.
    #[error(
        "{path} has {}; line {line} is out of range",
        counted(*n_lines as u64, "line", "lines")
    )]
    NoSuchLine {
        path: WorkspacePath,
        /// The first requested line.
        line: usize,
        /// Number of lines in the file.
        n_lines: usize,
    },
    /// A file cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
}

file_error_from_disk!(FileLinesError);

/// Replaces a forgotten line.
const FORGOTTEN: &str = "[forgotten]";

/// Reads the given lines of a note, as far as it has them; all of them for `None`.
pub fn file_lines(
    workspace: &Workspace,
    path: &WorkspacePath,
    lines: Option<LineRange>,
) -> Result<FileLines, FileLinesError> {
    let text = read(workspace, path)?;
    let text = workspace.read_note(path.as_str(), &text);
    let readable = text.readable();
    // Redact the whole text: one line of a key, or a password below its heading, is not recognised alone.
    let clean = redact_lines(&readable);
    let all: Vec<&str> = clean.lines().collect();
    let n_lines = all.len();
    let wanted = lines.unwrap_or(LineRange {
        start: 1,
        end: n_lines.max(1),
    });
    let (start, end) = (wanted.start.max(1), wanted.end.min(n_lines));
    let hidden = hidden_lines(&text, &load_tombstones(workspace)?);
    let shown: Vec<String> = (1..)
        .zip(&all)
        .take(end)
        .skip(start - 1)
        .map(|(number, line)| {
            if hidden.contains(&number) {
                return FORGOTTEN.to_owned();
            }
            line.trim_end().to_owned()
        })
        .collect();
    if shown.is_empty() {
        return Err(FileLinesError::NoSuchLine {
            path: path.clone(),
            line: start,
            n_lines,
        });
    }
    Ok(FileLines {
        lines: LineRange { start, end },
        text: shown.join("\n"),
        n_lines,
    })
}

/// A whole note; forgotten lines and unfilled template lines are blank.
pub fn note_text(
    workspace: &Workspace,
    path: &WorkspacePath,
) -> Result<MemoryText, FileLinesError> {
    let text = read(workspace, path)?;
    let text = workspace.read_note(path.as_str(), &text).into_owned();
    let hidden = hidden_lines(&text, &load_tombstones(workspace)?);
    Ok(text.blanking(|number, line| {
        hidden.contains(&number) || is_of_template(path.as_str(), line.text())
    }))
}

pub(crate) fn read(workspace: &Workspace, path: &WorkspacePath) -> Result<String, FileLinesError> {
    let disk = workspace.disk();
    let folder = workspace.folder_of(path.as_str());
    let left_out = || FileLinesError::LeftOut(path.clone());
    match folder {
        Some((folder, relative)) if !folder.has(disk, relative) => return Err(left_out()),
        None if !is_searched(path) => return Err(FileLinesError::NotSearched(path.clone())),
        Some(_) | None => {}
    }
    let full = workspace.file_of(path);
    if disk.stat(&full)?.is_none_or(|stat| stat.is_dir) {
        return Err(FileLinesError::NotFound(path.clone()));
    }
    if workspace.inside(path.as_str())?.is_err() {
        return Err(FileLinesError::NotSearched(path.clone()));
    }
    let bytes = read_all(disk, &full, FILE_BYTES_MAX)?;
    if folder.is_some() {
        return decoded(bytes).ok_or_else(left_out);
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Whether search covers the file, judging by its path.
fn is_searched(path: &WorkspacePath) -> bool {
    let text = path.as_str();
    let is_note = text
        .rsplit_once('.')
        .is_some_and(|(_, ending)| ending.eq_ignore_ascii_case("md"));
    let is_hidden = text.split('/').any(|part| part.starts_with('.'));
    let is_there = match text.split_once('/') {
        None => unsearched_files().all(|name| name != text),
        Some((folder, _)) => folder == LOGS,
    };
    is_note && !is_hidden && is_there
}

#[cfg(test)]
#[path = "file_lines_tests.rs"]
mod tests;
