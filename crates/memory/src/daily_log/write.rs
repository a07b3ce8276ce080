//! Writes one block into the log of its day, under a lock, exactly once.

use std::path::{Path, PathBuf};

use base::disk::{DiskError, FileStat, Lock, append, append_shared, read_all, remove, replace};
use base::{EntryId, Origin, SessionId, Tz, content_hash, day};

use super::block::FlushBlock;
use super::lines::same_length_text;
use super::plan::{BlockPlan, holds, plan};
use crate::file_error::file_error_from_disk;
use crate::note::NOTE_CHARS_MAX;
use crate::tombstone::{Tombstones, load_tombstones, reinstate};
use crate::workspace::Workspace;
use crate::workspace_file::WorkspaceFile;
use crate::{FileError, WorkspacePath, note};

/// The outcome of writing a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BlockOutcome {
    /// The block was written.
    Written,
    /// The log had the complete block; nothing was written.
    AlreadyThere,
    /// The log already says every note; no block was written.
    Nothing,
}

/// The outcome of writing a block, and the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockReport {
    pub outcome: BlockOutcome,
    /// The path of the log.
    pub log: WorkspacePath,
    /// Number of notes written.
    pub n_notes: usize,
    /// The copy of the log from before an unfinished block was removed, if one was. Lost if writing the new block then
    /// fails: the error does not name the copy.
    pub quarantined: Option<PathBuf>,
}

/// A daily log could not be written.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The note has this many characters.
    #[error("the note has {0} characters; the limit is {NOTE_CHARS_MAX}")]
    NoteTooLong(usize),
    /// A write failed and could not be rolled back.
    #[error("writing {0} failed, but it may contain all or part of the note")]
    MayStand(WorkspacePath, #[source] DiskError),
    /// A file cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
}

file_error_from_disk!(LogError);

/// Size limit of a daily log in bytes: far more notes than a day has, and still fast to read.
pub const LOG_BYTES_MAX: u64 = 8 * 1024 * 1024;

/// Writes the block into the log of the day of `block.at`, exactly once.
///
/// Durability: the records of the notes are on disk before the notes, and after `Ok` both are. After a crash or an
/// error at any point, a retry with the same session and span ends with each note once. What an unfinished attempt left
/// is removed first, with a copy of the log in quarantine. Notes that the log already says are left out.
///
/// # Errors
///
/// [`LogError`]; no block took effect. Waits up to a minute for a held lock.
pub fn write_block(
    workspace: &Workspace,
    block: &FlushBlock,
    timezone: Tz,
) -> Result<BlockReport, LogError> {
    let log = workspace.log_path(day(block.at, timezone));
    let open = OpenLog::open(workspace, &log)?;
    reinstate_what_the_owner_restated(workspace, block)?;
    let block = &without_forgotten(block, &load_tombstones(workspace)?);
    let ledger = workspace.ledger();
    let planned = plan(&ledger, (log.as_str(), &open.found), block, timezone);
    let BlockPlan::Change(change) = planned else {
        open.make_durable()?;
        return Ok(BlockReport {
            outcome: BlockOutcome::AlreadyThere,
            log,
            n_notes: 0,
            quarantined: None,
        });
    };
    let n_before = change.mended.as_ref().map_or(open.found.len(), Vec::len);
    open.check_length(n_before + change.addition.len())?;
    let n_notes = change.n_notes;
    if n_notes > 0 {
        workspace.commit_records(&change.records)?;
    }
    let mut quarantined = None;
    match &change.mended {
        Some(mended) => {
            if change.has_unfinished {
                quarantined = Some(open.quarantine()?);
            }
            open.put(&[mended, change.addition.as_bytes()].concat())?;
        }
        None if n_notes == 0 => open.make_durable_if_there()?,
        None if change.addition.is_empty() => open.make_durable()?,
        None => open.add(change.addition.as_bytes())?,
    }
    let outcome = if n_notes == 0 {
        BlockOutcome::Nothing
    } else {
        BlockOutcome::Written
    };
    Ok(BlockReport {
        outcome,
        log,
        n_notes,
        quarantined,
    })
}

/// Whether the log has the complete block of a session and span; if so, syncs it to disk.
///
/// Used after a crash: a flush whose block is complete needs no model call, only its success recorded.
pub fn confirm_block(
    workspace: &Workspace,
    log: &WorkspacePath,
    session: &SessionId,
    span: &(EntryId, EntryId),
) -> Result<bool, LogError> {
    let open = OpenLog::open(workspace, log)?;
    let text = same_length_text(&open.found);
    let is_there = holds(&workspace.ledger(), (log.as_str(), &text), session, span);
    if is_there {
        open.make_durable()?;
    }
    Ok(is_there)
}

/// Reinstates forgotten text that the owner has stated again, so that it can be noted. If a crash follows, the
/// text is visible again and the next flush notes it.
fn reinstate_what_the_owner_restated(
    workspace: &Workspace,
    block: &FlushBlock,
) -> Result<(), FileError> {
    let tombstones = load_tombstones(workspace)?;
    let notes = block.sections.iter().flat_map(|(_, notes)| notes);
    for note in notes.filter(|note| note.origin == Origin::Owner) {
        let text = note::prepare(&note.text);
        if tombstones.is_reinstated(&text, &note.evidence) {
            reinstate(workspace, &text)?;
        }
    }
    Ok(())
}

/// The block without notes that a tombstone hides.
fn without_forgotten(block: &FlushBlock, tombstones: &Tombstones) -> FlushBlock {
    let mut block = block.clone();
    for (_, notes) in &mut block.sections {
        notes.retain(|it| !tombstones.hides_note(&note::prepare(&it.text), &it.evidence));
    }
    block
}

/// A daily log, locked and loaded.
pub(super) struct OpenLog<'w> {
    workspace: &'w Workspace,
    log: &'w WorkspacePath,
    /// The file with symlinks resolved, so that a write does not replace a symlink.
    path: PathBuf,
    found: Vec<u8>,
    lock: Lock,
}

/// Hex digits of the hash in the name of a quarantined log.
const HASH_DIGITS: usize = 8;

impl<'w> OpenLog<'w> {
    pub(super) fn open(workspace: &'w Workspace, log: &'w WorkspacePath) -> Result<Self, LogError> {
        if workspace.is_poisoned() {
            return Err(FileError::Poisoned(log.to_string()).into());
        }
        let lock = workspace.lock_logs_patiently()?;
        let path = inside(workspace, log)?;
        let found = read(workspace, log, &path)?;
        Ok(Self {
            workspace,
            log,
            path,
            found,
            lock,
        })
    }

    pub(super) fn workspace(&self) -> &Workspace {
        self.workspace
    }

    pub(super) fn log(&self) -> &WorkspacePath {
        self.log
    }

    /// The content of the log.
    pub(super) fn found(&self) -> &[u8] {
        &self.found
    }

    pub(super) fn check_length(&self, n_bytes: usize) -> Result<(), FileError> {
        check_length(self.log, n_bytes as u64)
    }

    /// Replaces the content.
    pub(super) fn put(&self, bytes: &[u8]) -> Result<(), FileError> {
        let file = WorkspaceFile::new(self.workspace, self.path.clone(), LOG_BYTES_MAX);
        // Never overwrite what an editor saved in between.
        file.overwrite(Some(&self.found), bytes)
    }

    /// Keeps a copy of the content before the remains of an earlier attempt are removed.
    ///
    /// The name derives from the content, so that retries keep one copy.
    fn quarantine(&self) -> Result<PathBuf, FileError> {
        let directory = self.workspace.layout().quarantine();
        self.workspace.make_dir(&directory)?;
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let mut hash = content_hash(&self.found);
        hash.truncate(HASH_DIGITS);
        let path = directory.join(format!("{name}.{hash}"));
        self.workspace
            .poisoning(replace(self.workspace.disk(), &path, &self.found))?;
        Ok(path)
    }

    fn add(&self, addition: &[u8]) -> Result<(), FileError> {
        self.workspace
            .poisoning(self.workspace.make_dir_of(&self.path))?;
        let appended = append(self.workspace.disk(), &self.path, addition);
        Ok(self.workspace.poisoning(appended)?)
    }

    /// Appends, or restores the log if the write fails, so that no partial note stays unreported.
    ///
    /// Syncs without the lock: writers that wait for one another would each wait for all syncs before their own.
    pub(super) fn add_or_take_back(self, addition: &[u8]) -> Result<(), LogError> {
        let Self {
            workspace,
            log,
            path,
            found,
            lock,
        } = self;
        let disk = workspace.disk();
        let before = disk.stat(&path)?;
        workspace.poisoning(workspace.make_dir_of(&path))?;
        let (written, lock) = match append_shared(disk, &path, addition) {
            Err(cause) => (Err(cause), Some(lock)),
            Ok(appended) => {
                drop(lock);
                (appended.make_durable(disk), None)
            }
        };
        workspace.poisoning(written).map_err(|cause| {
            let lock = lock.map_or_else(|| workspace.lock_logs_patiently(), Ok);
            let taken_back = lock.is_ok_and(|_lock| {
                take_back(workspace, (log, &path), (before, &found, addition)).unwrap_or(false)
            });
            if taken_back {
                cause.into()
            } else {
                LogError::MayStand(log.clone(), cause)
            }
        })
    }

    /// Syncs the log, if there is one: a note in it may not be durable yet.
    fn make_durable_if_there(&self) -> Result<(), FileError> {
        if self.found.is_empty() {
            return Ok(());
        }
        self.make_durable()
    }

    /// Syncs the log: the writer of a block in it may have died before its own sync.
    pub(super) fn make_durable(&self) -> Result<(), FileError> {
        let disk = self.workspace.disk();
        self.workspace.poisoning(disk.sync(&self.path))?;
        match self.path.parent() {
            Some(directory) => Ok(self.workspace.poisoning(disk.sync_dir(directory))?),
            None => Ok(()),
        }
    }
}

/// Truncates the text that a failed write appended; `false` if another program has changed the log since.
///
/// Safe after a failed sync too: only the truncated bytes may be lost, and the file length is synced again.
fn take_back(
    workspace: &Workspace,
    (log, path): (&WorkspacePath, &Path),
    (before, found, addition): (Option<FileStat>, &[u8], &[u8]),
) -> Result<bool, FileError> {
    let disk = workspace.disk();
    let standing = read(workspace, log, path)?;
    let added = standing.strip_prefix(found);
    if !added.is_some_and(|added| addition.starts_with(added)) {
        return Ok(false);
    }
    if before.is_none() {
        remove(disk, path)?;
    } else if standing != found {
        disk.truncate(path, found.len() as u64)?;
        disk.sync(path)?;
    }
    Ok(true)
}

/// Resolves symlinks in the path of the log.
///
/// # Errors
///
/// [`FileError::Outside`] if the path leads out of the workspace.
pub(crate) fn inside(workspace: &Workspace, log: &WorkspacePath) -> Result<PathBuf, FileError> {
    workspace
        .inside(log.as_str())?
        .map_err(|target| FileError::Outside(log.to_string(), target))
}

fn check_length(log: &WorkspacePath, n_bytes: u64) -> Result<(), FileError> {
    if n_bytes > LOG_BYTES_MAX {
        return Err(FileError::TooLarge {
            file: log.to_string(),
            n_bytes,
            n_bytes_max: LOG_BYTES_MAX,
        });
    }
    Ok(())
}

/// Reads a log; a missing log is empty.
fn read(workspace: &Workspace, log: &WorkspacePath, path: &Path) -> Result<Vec<u8>, FileError> {
    let Some(stat) = workspace.disk().stat(path)? else {
        return Ok(Vec::new());
    };
    check_length(log, stat.len)?;
    Ok(read_all(workspace.disk(), path, LOG_BYTES_MAX)?)
}

#[cfg(test)]
#[path = "write_tests.rs"]
mod tests;
