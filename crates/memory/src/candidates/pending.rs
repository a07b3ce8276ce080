//! Changes memory, candidates and archive together: announces the change in one file, then carries it out.
//!
//! If a crash interrupts a change, the next process finishes it, so that a change is never half applied.

use std::path::PathBuf;

use base::Timestamp;
use base::disk::{FileStat, append, read_some, remove, replace};
use serde::de::DeserializeOwned;

use super::archive::archive_with;
use super::change::{BegunChange, StateChange};
use super::error::MemoryTxnError;
use super::forgetting::visible_part;
use super::kept::{DREAMS_BYTES_MAX, keep};
use super::state::DreamState;
use super::wire::{from_json, to_json};
use crate::FileError;
use crate::curated::{ChangeId, MemoryChange, OpenMemory, curated_text};
use crate::dreams_file::{parse, rendered};
use crate::misread::{misread_line, readable};
use crate::tombstone::Tombstones;
use crate::workspace::{ARCHIVE_FILE, MEMORY_FILE, Workspace};
use crate::workspace_file::WorkspaceFile;

/// Size limit of a record in bytes.
const RECORD_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// The records, relative to `state/`.
pub(super) const STATE: &str = "dreams/state.json";
const PENDING: &str = "dreams/pending.json";

/// Checks that the records of dreams can be read.
pub fn check_records(workspace: &Workspace) -> Result<(), MemoryTxnError> {
    let records = PendingRecords { workspace };
    records.begun()?;
    records.state().map(|_| ())
}

/// The state of dreams as it is in its file; `None` if there is none.
pub(crate) fn dream_state(workspace: &Workspace) -> Result<Option<DreamState>, MemoryTxnError> {
    PendingRecords { workspace }.read(STATE)
}

/// Writes the state of dreams of a workspace in memory, and drops an announced change.
pub(crate) fn put_dream_state(
    workspace: &Workspace,
    state: &DreamState,
) -> Result<(), MemoryTxnError> {
    let records = PendingRecords { workspace };
    workspace.make_dir(&workspace.layout().dreams())?;
    let bytes = to_json(STATE, state)?;
    replace(workspace.disk(), &records.path(STATE), &bytes)?;
    records.end()
}

/// The records of a workspace.
#[derive(Debug, Clone, Copy)]
pub(super) struct PendingRecords<'w> {
    pub(super) workspace: &'w Workspace,
}

impl PendingRecords<'_> {
    fn path(self, name: &str) -> PathBuf {
        self.workspace.layout().state().join(name)
    }

    /// The state as last written; the default if there is none.
    pub(super) fn state(self) -> Result<DreamState, MemoryTxnError> {
        let state = self.read(STATE)?;
        Ok(state.unwrap_or_default())
    }

    /// The state as it is in its file, for readers of a part of it; `None` if there is none.
    pub(super) fn state_bytes(self) -> Result<Option<Vec<u8>>, MemoryTxnError> {
        let path = self.path(STATE);
        Ok(read_some(self.workspace.disk(), &path, RECORD_BYTES_MAX)?)
    }

    /// The metadata of the state's file; readers that keep a part of it read it again when this changes.
    pub(super) fn state_stat(self) -> Result<Option<FileStat>, MemoryTxnError> {
        Ok(self.workspace.disk().stat(&self.path(STATE))?)
    }

    /// The change that was announced but not finished, if any.
    pub(super) fn begun(self) -> Result<Option<BegunChange>, MemoryTxnError> {
        self.read(PENDING)
    }

    /// Reads a record; `None` if there is none.
    fn read<T: DeserializeOwned>(self, name: &str) -> Result<Option<T>, MemoryTxnError> {
        let bytes = read_some(self.workspace.disk(), &self.path(name), RECORD_BYTES_MAX)?;
        Ok(bytes.map(|bytes| from_json(name, &bytes)).transpose()?)
    }

    /// Announces a change. Durability: once this returns, the change takes effect even after a crash.
    pub(super) fn begin(
        self,
        memory: &OpenMemory<'_>,
        mut change: StateChange,
        (at, forgotten): (Timestamp, &Tombstones),
    ) -> Result<BegunChange, MemoryTxnError> {
        if change.memory.is_some() {
            memory.check_whole()?;
        }
        change.state.sequence += 1;
        change.state.trim();
        let visible = visible_part(&change.state, forgotten);
        for candidate in &mut change.state.pending {
            candidate.is_shown = visible.candidate(&candidate.id).is_some();
        }
        let of = (at, memory.hash(), memory.next_id()?.0);
        let begun = BegunChange::of(change, &self.workspace.ledger(), of);
        let bytes = to_json(PENDING, &begun)?;
        self.workspace.make_dir(&self.workspace.layout().dreams())?;
        replace(self.workspace.disk(), &self.path(PENDING), &bytes)?;
        Ok(begun)
    }

    /// Carries out an announced change; idempotent, so a retry may start at any point. Returns the new state and the
    /// name of the copy of a `DREAMS.md` that could not be read whole.
    ///
    /// If another program saved `MEMORY.md` first, the whole change is dropped.
    pub(super) fn carry_out(
        self,
        memory: &mut OpenMemory<'_>,
        begun: &BegunChange,
        forgotten: &Tombstones,
    ) -> Result<(DreamState, Option<String>), MemoryTxnError> {
        let is_recorded = self.state()?.sequence >= begun.state.sequence;
        if !is_recorded {
            self.archive(begun)?;
            if let Err(error) = self.put_memory(memory, begun) {
                if matches!(error, FileError::Changed(_)) {
                    self.end()?;
                }
                return Err(error.into());
            }
            let bytes = to_json(STATE, &begun.state)?;
            replace(self.workspace.disk(), &self.path(STATE), &bytes)?;
        }
        let kept = self.show(&visible_part(&begun.state, forgotten), begun.at)?;
        self.end()?;
        Ok((begun.state.clone(), kept))
    }

    fn end(self) -> Result<(), MemoryTxnError> {
        Ok(remove(self.workspace.disk(), &self.path(PENDING))?)
    }

    fn archive(self, begun: &BegunChange) -> Result<(), MemoryTxnError> {
        let (workspace, disk) = (self.workspace, self.workspace.disk());
        let archived = begun.archived(&workspace.ledger());
        if archived.is_empty() {
            return Ok(());
        }
        let path = workspace.root().join(ARCHIVE_FILE);
        let found = read_some(disk, &path, RECORD_BYTES_MAX)?.unwrap_or_default();
        let decoded = String::from_utf8_lossy(&found);
        let text = curated_text(workspace, ARCHIVE_FILE, &decoded);
        let Some(after) = archive_with(&text, &archived) else {
            return Ok(());
        };
        let (written, records) = workspace.ledger().written(ARCHIVE_FILE, &after);
        workspace.commit_records(&records)?;
        workspace.make_dir_of(&path)?;
        match written.strip_prefix(&*decoded) {
            Some(addition) => Ok(append(disk, &path, addition.as_bytes())?),
            None => Ok(replace(disk, &path, written.as_bytes())?),
        }
    }

    /// Applies the change to `MEMORY.md`, unless it has been applied already.
    fn put_memory(self, memory: &mut OpenMemory<'_>, begun: &BegunChange) -> Result<(), FileError> {
        let is_expected = memory.hash() == begun.expected_hash;
        if let Some(id) = begun.undo {
            let ids = memory.preimages().ids()?;
            if !ids.contains(&ChangeId(id)) {
                return Ok(());
            }
            let Some(preimage) = memory.preimages().read(ChangeId(id))? else {
                return Ok(());
            };
            if !is_expected && !memory.is(preimage.before.bytes()) {
                return Err(FileError::Changed(MEMORY_FILE.to_owned()));
            }
            return memory.undo(&preimage);
        }
        let Some(text) = begun.memory(&self.workspace.ledger()) else {
            return Ok(());
        };
        if memory.holds(&text) {
            return Ok(());
        }
        if !is_expected {
            return Err(FileError::Changed(MEMORY_FILE.to_owned()));
        }
        let change = MemoryChange {
            id: ChangeId(begun.change_id),
            at: begun.at,
            cause: &begun.cause,
            candidates: &begun.candidates,
        };
        memory.write(&text, change)
    }

    /// Rewrites `DREAMS.md` with the pending candidates that are visible. If the file could not be read whole, keeps a
    /// copy next to it and returns the name of the copy.
    pub(super) fn show(
        self,
        state: &DreamState,
        at: Timestamp,
    ) -> Result<Option<String>, MemoryTxnError> {
        let path = self.workspace.dreams_file();
        let file = WorkspaceFile::new(self.workspace, path.clone(), DREAMS_BYTES_MAX);
        let pending: Vec<_> = state
            .pending
            .iter()
            .filter(|own| own.missing_since.is_none())
            .collect();
        let mut kept = None;
        file.edit(|found| -> Result<_, FileError> {
            kept = None;
            let text = found.map(readable);
            let parsed = parse(text.as_deref().unwrap_or_default());
            let wanted = rendered(&parsed, &pending);
            let is_nothing_to_show = pending.is_empty() && !parsed.has_heading;
            if is_nothing_to_show || found == Some(wanted.as_bytes()) {
                return Ok(None);
            }
            let is_read_whole = |found: &&[u8]| {
                parsed.has_heading && !parsed.is_cut && misread_line(found).is_none()
            };
            let is_kept =
                |found: &&[u8]| !is_read_whole(found) && !found.iter().all(u8::is_ascii_whitespace);
            if let (Some(found), Some(directory)) = (found.filter(is_kept), path.parent()) {
                kept = Some(keep(self.workspace.disk(), directory, found, at)?);
            }
            Ok(Some(wanted.into_bytes()))
        })?;
        Ok(kept)
    }

    /// The bytes of `DREAMS.md`.
    pub(super) fn dreams_bytes(self) -> Result<Option<Vec<u8>>, MemoryTxnError> {
        let path = self.workspace.dreams_file();
        Ok(read_some(self.workspace.disk(), &path, DREAMS_BYTES_MAX)?)
    }
}
