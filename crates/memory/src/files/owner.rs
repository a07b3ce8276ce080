//! Reads, edits and restores notes for the owner, without an editor.
//!
//! Never overwrites content that was not read, and keeps a copy of what it overwrites.

use base::disk::read_all;
use base::{Timestamp, content_hash};

use super::place::{FileAccessError, readable};
use super::read::{FILE_BYTES_MAX, check_size, text_of};
use super::write::{copy_suffix, keep};
use crate::curated::{CuratedLine, MemoryChange, OpenMemory};
use crate::file_error::file_error_from_disk;
use crate::workspace::{DREAMS_FILE, LOGS, MEMORY_FILE};
use crate::workspace_file::WorkspaceFile;
use crate::{FileError, Workspace, WorkspacePath};

/// A file with its hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnerFile {
    /// The whole text.
    pub text: String,
    /// Its content hash, for a later save.
    pub hash: String,
}

/// The outcome of an edit by the owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OwnerEdit {
    /// The file already had this text.
    Same,
    /// Saved; the old content is kept under this name.
    Kept(String),
    /// Saved to `MEMORY.md`; the edit can be undone like a change by a dream.
    Undoable,
}

/// The file was not saved.
#[derive(Debug, thiserror::Error)]
pub enum OwnerEditError {
    /// The file cannot be used.
    #[error(transparent)]
    File(#[from] FileAccessError),
    /// The program generates this file: candidates are reviewed instead.
    #[error("{0} is generated; review its candidates instead")]
    Rendered(WorkspacePath),
    /// The kept copy no longer exists.
    #[error("the earlier content of {0} is no longer kept")]
    NotKept(WorkspacePath),
}

file_error_from_disk!(OwnerEditError);

impl From<FileError> for OwnerEditError {
    fn from(error: FileError) -> Self {
        Self::File(error.into())
    }
}

/// The whole text of a file, with its comments.
pub fn read_owner_file(
    workspace: &Workspace,
    path: &WorkspacePath,
) -> Result<OwnerFile, FileAccessError> {
    let full = readable(workspace, path)?;
    let text = text_of(workspace, path, &full)?;
    let hash = content_hash(text.as_bytes());
    Ok(OwnerFile { text, hash })
}

/// Replaces the content, whose hash must be `before`, with the owner's text.
///
/// Durability: a crash leaves either the old or the new content; the old content is kept first.
///
/// # Errors
///
/// [`OwnerEditError`]; [`FileError::Changed`] if another program has saved the file since it was read.
pub fn save_owner_file(
    workspace: &Workspace,
    path: &WorkspacePath,
    (before, text): (&str, &str),
    now: Timestamp,
) -> Result<OwnerEdit, OwnerEditError> {
    if path.as_str() == DREAMS_FILE {
        return Err(OwnerEditError::Rendered(path.clone()));
    }
    let found = read_owner_file(workspace, path)?;
    if found.hash != before {
        return Err(FileError::Changed(path.to_string()).into());
    }
    if found.text == text {
        return Ok(OwnerEdit::Same);
    }
    check_size(path, text.len() as u64)?;
    if path.as_str() == MEMORY_FILE {
        return save_memory(workspace, &found, text, now);
    }
    let is_log = path.as_str().starts_with(&format!("{LOGS}/"));
    let _lock = is_log.then(|| workspace.lock_logs()).transpose()?;
    let full = readable(workspace, path)?;
    let kept = keep(workspace, (&full, found.text.as_bytes()), now)?;
    let file = WorkspaceFile::new(workspace, full, FILE_BYTES_MAX);
    file.overwrite(Some(found.text.as_bytes()), text.as_bytes())?;
    Ok(OwnerEdit::Kept(kept))
}

/// Restores the copy named `kept` over the content with the hash `now_hash`.
pub fn restore_owner_file(
    workspace: &Workspace,
    path: &WorkspacePath,
    (kept, now_hash): (&str, &str),
    now: Timestamp,
) -> Result<OwnerEdit, OwnerEditError> {
    let not_kept = || OwnerEditError::NotKept(path.clone());
    let directory = workspace.layout().overwritten();
    let kept_names = workspace.disk().list(&directory)?;
    let suffix = copy_suffix(path.as_str().rsplit('/').next().unwrap_or_default());
    let is_its = |it: &std::path::PathBuf| it.to_str() == Some(kept) && kept.ends_with(&suffix);
    let found = kept_names.into_iter().find(is_its).ok_or_else(not_kept)?;
    let bytes = read_all(workspace.disk(), &directory.join(found), FILE_BYTES_MAX);
    let text = String::from_utf8(bytes?).map_err(|_| not_kept())?;
    save_owner_file(workspace, path, (now_hash, &text), now)
}

/// Replaces the words of one line with the owner's; its bullet and its end stay.
///
/// # Errors
///
/// [`OwnerEditError`]; [`FileError::Changed`] if the line no longer says the same.
pub fn reword_line(
    workspace: &Workspace,
    path: &WorkspacePath,
    (line, words): (&CuratedLine, &str),
    now: Timestamp,
) -> Result<OwnerEdit, OwnerEditError> {
    let file = read_owner_file(workspace, path)?;
    let text = reworded(&file.text, line, words);
    let text = text.ok_or_else(|| FileError::Changed(path.to_string()))?;
    save_owner_file(workspace, path, (&file.hash, &text), now)
}

/// The file with other words in a line; `None` if that line says something else. Bullet and line ends stay.
fn reworded(file: &str, line: &CuratedLine, words: &str) -> Option<String> {
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut found = false;
    let lines = file.split_inclusive('\n').zip(1..);
    let lines = lines.map(|(own, number)| match own.split_once(&line.text) {
        Some((bullet, end)) if number == line.number && end.trim().is_empty() => {
            found = true;
            format!("{bullet}{words}{end}")
        }
        _ => own.to_owned(),
    });
    let text: String = lines.collect();
    (found && !words.is_empty()).then_some(text)
}

fn save_memory(
    workspace: &Workspace,
    found: &OwnerFile,
    text: &str,
    now: Timestamp,
) -> Result<OwnerEdit, OwnerEditError> {
    let mut memory = OpenMemory::open(workspace)?;
    if !memory.is(Some(found.text.as_bytes())) {
        return Err(FileError::Changed(MEMORY_FILE.to_owned()).into());
    }
    let id = memory.next_id()?;
    let change = MemoryChange {
        id,
        at: now,
        cause: "the owner edited MEMORY.md",
        candidates: &[],
    };
    memory.write(&workspace.read_note(MEMORY_FILE, text), change)?;
    Ok(OwnerEdit::Undoable)
}

#[cfg(test)]
#[path = "owner_tests.rs"]
mod tests;
