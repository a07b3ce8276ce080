//! Writes one block into the log of its day, under a lock, so that it stands there once.
//!
//! The only file that changes a daily log.

use std::path::{Path, PathBuf};

use base::disk::{DiskError, FileStat, Lock, append, by_process, read_all, remove, replace};
use base::{EntryId, Origin, SessionId, Tz, day, locked_or_disk, short_hash};

use super::block::FlushBlock;
use super::plan::{Plan, holds, plan};
use crate::tombstone::{TombstoneError, Tombstones, load_tombstones, reinstate};
use crate::workspace::Workspace;
use crate::{WorkspacePath, note};

/// What became of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BlockOutcome {
    /// It was written.
    Written,
    /// It stood there, finished; nothing was written.
    AlreadyThere,
    /// It holds no note that the log does not say already; no block was written.
    Nothing,
}

/// What became of a block, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockReport {
    /// What became of it.
    pub outcome: BlockOutcome,
    /// The log of its day.
    pub log: WorkspacePath,
    /// How many notes were written.
    pub n_notes: usize,
    /// Where the log stands as it was before an unfinished block was taken out of it, if one was.
    pub quarantined: Option<PathBuf>,
}

/// A daily log could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// Another process writes a log; its id, where it is known.
    #[error("the daily logs are locked{}", by_process(*.0))]
    Locked(Option<u32>),
    /// The log would be too large to be read again, with so many bytes.
    #[error("{0} would have {1} bytes; at most {LOG_BYTES_MAX} are written")]
    TooLarge(WorkspacePath, u64),
    /// The log is a link, or lies below one, that leads out of the workspace, to this place.
    #[error("{0} leads out of the workspace, to {target}", target = .1.display())]
    Outside(WorkspacePath, PathBuf),
    /// Someone saved the log while an unfinished block was being taken out of it.
    #[error("{0} was changed while it was being mended; nothing was written")]
    Changed(WorkspacePath),
    /// A write was not made durable before, and nothing is known of what the disk holds.
    #[error("no daily log is written after a failed sync; start the program again")]
    Poisoned,
    /// A write failed and could not be taken back.
    #[error("{0} may hold the note or a part of it, although it could not be written")]
    MayStand(WorkspacePath, #[source] DiskError),
    /// It is not known what was forgotten.
    #[error(transparent)]
    Tombstones(#[from] TombstoneError),
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

locked_or_disk!(LogError);

/// Longest daily log in bytes: years of notes for one day, and still read in a moment.
pub const LOG_BYTES_MAX: u64 = 8 * 1024 * 1024;

/// Writes the block into the log of the day of `block.at`, once.
///
/// Durability: after `Ok` the block stands on the disk; after a crash or an error at any point, calling
/// again with the same session and span ends with one finished block. What was never finished is taken
/// out first, and the log as it was is kept in quarantine. Notes that the log says already are left out.
///
/// # Errors
///
/// [`LogError`]; no block took effect. A lock that is held is waited for, for as long as a few writes take.
pub fn write_block(
    workspace: &Workspace,
    block: &FlushBlock,
    timezone: Tz,
) -> Result<BlockReport, LogError> {
    let log = workspace.log_path(day(block.at, timezone));
    let open = OpenLog::open(workspace, &log)?;
    reinstate_what_the_owner_restated(workspace, block)?;
    let block = &without_forgotten(block, &load_tombstones(workspace)?);
    let (outcome, n_notes, quarantined) = match plan(&open.found, block, timezone) {
        Plan::AlreadyThere => {
            open.make_durable()?;
            (BlockOutcome::AlreadyThere, 0, None)
        }
        Plan::Change {
            mended,
            addition,
            n_notes,
        } => {
            let before = mended.as_ref().map_or(open.found.len(), Vec::len);
            open.check_length(before + addition.len())?;
            let quarantined = match mended {
                Some(mended) => Some(open.mend(&mended)?),
                None => None,
            };
            open.add(addition.as_bytes())?;
            let outcome = match n_notes {
                0 => BlockOutcome::Nothing,
                _ => BlockOutcome::Written,
            };
            (outcome, n_notes, quarantined)
        }
    };
    Ok(BlockReport {
        outcome,
        log,
        n_notes,
        quarantined,
    })
}

/// Whether the log holds the finished block of a session and span; where it does, the block is on the
/// disk when this returns.
///
/// For a start after a crash: a flush whose block stands needs no model, only its success noted.
pub fn confirm_block(
    workspace: &Workspace,
    log: &WorkspacePath,
    session: &SessionId,
    span: &(EntryId, EntryId),
) -> Result<bool, LogError> {
    let open = OpenLog::open(workspace, log)?;
    let is_there = holds(&open.found, session, span);
    if is_there {
        open.make_durable()?;
    }
    Ok(is_there)
}

/// What the owner said again after it was forgotten is found again, and can be noted. A crash after this
/// leaves it hidden nowhere and noted by the next flush.
fn reinstate_what_the_owner_restated(
    workspace: &Workspace,
    block: &FlushBlock,
) -> Result<(), TombstoneError> {
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

/// What was forgotten is not noted again.
fn without_forgotten(block: &FlushBlock, tombstones: &Tombstones) -> FlushBlock {
    let mut block = block.clone();
    for (_, notes) in &mut block.sections {
        notes.retain(|it| !tombstones.hides_note(&note::prepare(&it.text), &it.evidence));
    }
    block
}

/// A log that is locked and read.
pub(super) struct OpenLog<'w> {
    workspace: &'w Workspace,
    log: &'w WorkspacePath,
    /// The file itself, links followed: a link inside the workspace stays one.
    path: PathBuf,
    found: Vec<u8>,
    _lock: Lock,
}

impl<'w> OpenLog<'w> {
    pub(super) fn open(workspace: &'w Workspace, log: &'w WorkspacePath) -> Result<Self, LogError> {
        if workspace.is_poisoned() {
            return Err(LogError::Poisoned);
        }
        let lock = workspace.lock_logs_patiently()?;
        let path = inside(workspace, log)?;
        let found = read(workspace, log, &path)?;
        Ok(Self {
            workspace,
            log,
            path,
            found,
            _lock: lock,
        })
    }

    pub(super) fn workspace(&self) -> &Workspace {
        self.workspace
    }

    pub(super) fn log(&self) -> &WorkspacePath {
        self.log
    }

    /// What the log holds.
    pub(super) fn found(&self) -> &[u8] {
        &self.found
    }

    pub(super) fn check_length(&self, n_bytes: usize) -> Result<(), LogError> {
        let n_bytes = n_bytes as u64;
        if n_bytes > LOG_BYTES_MAX {
            return Err(LogError::TooLarge(self.log.clone(), n_bytes));
        }
        Ok(())
    }

    /// Puts `mended` in the place of what was found, and what was found into quarantine.
    fn mend(&self, mended: &[u8]) -> Result<PathBuf, LogError> {
        let quarantined = self.quarantine()?;
        // What an editor saved in between is never overwritten.
        if read(self.workspace, self.log, &self.path)? != self.found {
            return Err(LogError::Changed(self.log.clone()));
        }
        self.workspace
            .poisoning(replace(self.workspace.disk(), &self.path, mended))?;
        Ok(quarantined)
    }

    /// The name follows from the content, so that the same log is kept once however often it is tried.
    fn quarantine(&self) -> Result<PathBuf, LogError> {
        let directory = self.workspace.layout().quarantine();
        self.workspace.make_dir(&directory)?;
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let hash = short_hash(&String::from_utf8_lossy(&self.found));
        let path = directory.join(format!("{name}.{hash}"));
        self.workspace
            .poisoning(replace(self.workspace.disk(), &path, &self.found))?;
        Ok(path)
    }

    pub(super) fn add(&self, addition: &[u8]) -> Result<(), LogError> {
        if addition.is_empty() {
            return Ok(());
        }
        if let Some(directory) = self.path.parent() {
            self.workspace
                .poisoning(self.workspace.make_dir(directory))?;
        }
        let appended = append(self.workspace.disk(), &self.path, addition);
        Ok(self.workspace.poisoning(appended)?)
    }

    /// Adds it, or leaves the log as it was found: nobody would know of what a failed write left there.
    pub(super) fn add_or_take_back(&self, addition: &[u8]) -> Result<(), LogError> {
        let before = self.workspace.disk().stat(&self.path)?;
        match self.add(addition) {
            Err(LogError::Disk(cause)) => match self.take_back(before.as_ref(), addition) {
                Ok(true) => Err(cause.into()),
                Ok(false) | Err(_) => Err(LogError::MayStand(self.log.clone(), cause)),
            },
            added => added,
        }
    }

    /// Takes out what a failed write added; `false` where somebody else has changed the log since.
    ///
    /// After a failed sync, too: the bytes that may be lost are those that are cut away, and the length of the file is
    /// made durable anew.
    fn take_back(&self, before: Option<&FileStat>, addition: &[u8]) -> Result<bool, LogError> {
        let disk = self.workspace.disk();
        let found = read(self.workspace, self.log, &self.path)?;
        let added = found.strip_prefix(&*self.found);
        if !added.is_some_and(|added| addition.starts_with(added)) {
            return Ok(false);
        }
        if before.is_none() {
            remove(disk, &self.path)?;
        } else if found != self.found {
            disk.truncate(&self.path, self.found.len() as u64)?;
            disk.sync(&self.path)?;
        }
        Ok(true)
    }

    /// A block that stands in the file may not have reached the disk when its writer died.
    pub(super) fn make_durable(&self) -> Result<(), LogError> {
        let disk = self.workspace.disk();
        self.workspace.poisoning(disk.sync(&self.path))?;
        match self.path.parent() {
            Some(directory) => Ok(self.workspace.poisoning(disk.sync_dir(directory))?),
            None => Ok(()),
        }
    }
}

/// Where the log really lies, which must be inside the workspace.
pub(crate) fn inside(workspace: &Workspace, log: &WorkspacePath) -> Result<PathBuf, LogError> {
    workspace
        .inside(log.as_str())?
        .map_err(|target| LogError::Outside(log.clone(), target))
}

/// The content of a log; a log that is not there is empty.
fn read(workspace: &Workspace, log: &WorkspacePath, path: &Path) -> Result<Vec<u8>, LogError> {
    match workspace.disk().stat(path)? {
        None => Ok(Vec::new()),
        Some(stat) if stat.len > LOG_BYTES_MAX => Err(LogError::TooLarge(log.clone(), stat.len)),
        Some(_) => Ok(read_all(workspace.disk(), path, LOG_BYTES_MAX)?),
    }
}

#[cfg(test)]
#[path = "write_tests.rs"]
mod tests;
