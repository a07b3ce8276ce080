//! A change of memory, candidates and archive as a whole: announced in one file, then carried out.
//!
//! A crash leaves it announced, and whoever comes next carries it out; never half of it stays.

use std::path::{Path, PathBuf};

use base::Timestamp;
use base::disk::{Replaced, append, read_some, remove, replace, replace_unchanged};
use serde::de::DeserializeOwned;

use super::archive::addition;
use super::change::{Begun, Kept, StateChange};
use super::error::DeskError;
use super::kept::{DREAMS_BYTES_MAX, keep};
use super::model::Candidate;
use super::state::DreamState;
use super::wire::{from_json, to_json};
use crate::curated::{ChangeError, ChangeId, MemoryChange, OpenMemory};
use crate::dreams_file::{parse, rendered};
use crate::misread::{misread_line, readable};
use crate::tombstone::TombstoneId;
use crate::workspace::{ARCHIVE_FILE, Workspace};

/// Longest record that is read.
const RECORD_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// The records, relative to `state/`.
const STATE: &str = "dreams/state.json";
const PENDING: &str = "dreams/pending.json";

/// The end of the name of what is kept of forgotten candidates.
const FORGOTTEN_CANDIDATES: &str = "candidates.json";

/// How often the file of candidates is tried again where an editor saves it at the same moment.
const TRIES_MAX: usize = 4;

/// Whether what is known of dreams can be read.
pub fn check_records(workspace: &Workspace) -> Result<(), DeskError> {
    let records = Records { workspace };
    records.begun()?;
    records.state().map(|_| ())
}

/// The records of a workspace.
#[derive(Debug, Clone, Copy)]
pub(super) struct Records<'w> {
    pub(super) workspace: &'w Workspace,
}

impl Records<'_> {
    fn path(self, name: &str) -> PathBuf {
        self.workspace.layout().state().join(name)
    }

    /// The state as it was written last; an empty one where there is none.
    pub(super) fn state(self) -> Result<DreamState, DeskError> {
        let state = self.read(STATE)?;
        Ok(state.unwrap_or_default())
    }

    /// The change that was announced and not carried out, if there is one.
    pub(super) fn begun(self) -> Result<Option<Begun>, DeskError> {
        self.read(PENDING)
    }

    /// A record; `None` where there is none.
    fn read<T: DeserializeOwned>(self, name: &str) -> Result<Option<T>, DeskError> {
        let bytes = read_some(self.workspace.disk(), &self.path(name), RECORD_BYTES_MAX)?;
        bytes.map(|bytes| from_json(name, &bytes)).transpose()
    }

    /// Keeps candidates from which something was forgotten, beside those kept of the same tombstone before.
    pub(super) fn keep_forgotten(
        self,
        id: &TombstoneId,
        candidates: Vec<Candidate>,
    ) -> Result<(), DeskError> {
        let mut kept = self.kept_forgotten(id)?;
        kept.retain(|known| candidates.iter().all(|own| own.id != known.id));
        kept.extend(candidates);
        let name = kept_name(id);
        let bytes = to_json(&name, &Kept { candidates: kept })?;
        self.workspace
            .make_dir(&self.workspace.layout().forgotten())?;
        Ok(replace(self.workspace.disk(), &self.path(&name), &bytes)?)
    }

    /// The candidates that are kept of a tombstone; none where there is no such file.
    pub(super) fn kept_forgotten(self, id: &TombstoneId) -> Result<Vec<Candidate>, DeskError> {
        let kept: Option<Kept> = self.read(&kept_name(id))?;
        Ok(kept.map_or_else(Vec::new, |kept| kept.candidates))
    }

    /// Announces a change. Durability: from here on it takes effect, whatever happens.
    pub(super) fn begin(
        self,
        memory: &OpenMemory<'_>,
        mut change: StateChange,
        at: Timestamp,
    ) -> Result<Begun, DeskError> {
        if change.memory.is_some() {
            memory.check_whole()?;
        }
        change.state.sequence += 1;
        change.state.trim();
        for candidate in &mut change.state.pending {
            candidate.is_shown = true;
        }
        let begun = Begun {
            at,
            expected_hash: memory.hash(),
            change_id: memory.next_id()?.0,
            change,
        };
        let bytes = to_json(PENDING, &begun)?;
        self.workspace.make_dir(&self.workspace.layout().dreams())?;
        replace(self.workspace.disk(), &self.path(PENDING), &bytes)?;
        Ok(begun)
    }

    /// Carries out what was announced; may be repeated at any point. Gives the state afterwards, and where a
    /// `DREAMS.md` that could not be read whole is kept.
    ///
    /// Where somebody saved `MEMORY.md` before its turn came, nothing of the change takes effect.
    pub(super) fn carry_out(
        self,
        memory: &mut OpenMemory<'_>,
        begun: &Begun,
    ) -> Result<(DreamState, Option<String>), DeskError> {
        let Begun { at, change, .. } = begun;
        let is_recorded = self.state()?.sequence >= change.state.sequence;
        if !is_recorded {
            self.archive(&change.archived)?;
            if let Err(error) = put_memory(memory, begun) {
                if matches!(error, ChangeError::Changed) {
                    self.end()?;
                }
                return Err(error.into());
            }
            let bytes = to_json(STATE, &change.state)?;
            replace(self.workspace.disk(), &self.path(STATE), &bytes)?;
        }
        let kept = self.show(&change.state, *at)?;
        self.end()?;
        Ok((change.state.clone(), kept))
    }

    fn end(self) -> Result<(), DeskError> {
        Ok(remove(self.workspace.disk(), &self.path(PENDING))?)
    }

    fn archive(self, archived: &[String]) -> Result<(), DeskError> {
        if archived.is_empty() {
            return Ok(());
        }
        let disk = self.workspace.disk();
        let path = self.workspace.root().join(ARCHIVE_FILE);
        let found = read_some(disk, &path, RECORD_BYTES_MAX)?.unwrap_or_default();
        let addition = addition(&String::from_utf8_lossy(&found), archived);
        if addition.is_empty() {
            return Ok(());
        }
        if let Some(directory) = path.parent() {
            self.workspace.make_dir(directory)?;
        }
        Ok(append(disk, &path, addition.as_bytes())?)
    }

    /// Makes `DREAMS.md` show what waits; what cannot be read there is kept beside it, under the name that
    /// it gives.
    pub(super) fn show(
        self,
        state: &DreamState,
        at: Timestamp,
    ) -> Result<Option<String>, DeskError> {
        let disk = self.workspace.disk();
        let path = self.workspace.dreams_file();
        let pending: Vec<_> = state
            .pending
            .iter()
            .filter(|own| own.missing_since.is_none())
            .collect();
        for _ in 0..TRIES_MAX {
            let found = self.dreams_bytes()?;
            let text = found.as_deref().map(readable);
            let parsed = parse(text.as_deref().unwrap_or_default());
            let wanted = rendered(&parsed, &pending);
            let is_nothing_to_show = pending.is_empty() && !parsed.has_heading;
            if is_nothing_to_show || found.as_deref() == Some(wanted.as_bytes()) {
                return Ok(None);
            }
            let is_read_whole = |found: &&[u8]| {
                parsed.has_heading && !parsed.is_cut && misread_line(found).is_none()
            };
            let is_kept =
                |found: &&[u8]| !is_read_whole(found) && !found.iter().all(u8::is_ascii_whitespace);
            let kept = match (found.as_deref().filter(is_kept), path.parent()) {
                (Some(found), Some(directory)) => Some(keep(disk, directory, found, at)?),
                _ => None,
            };
            let replaced = replace_unchanged(disk, &path, found.as_deref(), wanted.as_bytes())?;
            if replaced == Replaced::Done {
                return Ok(kept);
            }
        }
        Err(DeskError::Busy)
    }

    /// What `DREAMS.md` holds.
    pub(super) fn dreams_bytes(self) -> Result<Option<Vec<u8>>, DeskError> {
        let path = self.workspace.dreams_file();
        Ok(read_some(self.workspace.disk(), &path, DREAMS_BYTES_MAX)?)
    }
}

pub(crate) fn forgotten_candidates(workspace: &Workspace, id: &TombstoneId) -> PathBuf {
    Records { workspace }.path(&kept_name(id))
}

fn kept_name(id: &TombstoneId) -> String {
    format!("forgotten/{id}.{FORGOTTEN_CANDIDATES}")
}

/// Whether a file of what was forgotten holds candidates, by its name.
pub(crate) fn is_forgotten_candidates(name: &Path) -> bool {
    let name = name.to_str().unwrap_or_default();
    name.ends_with(FORGOTTEN_CANDIDATES)
}

/// Whether what is kept of candidates that were forgotten under an id can be read.
pub(crate) fn check_kept(workspace: &Workspace, id: &TombstoneId) -> Result<(), DeskError> {
    Records { workspace }.kept_forgotten(id).map(|_| ())
}

/// Brings `MEMORY.md` where the change wants it, where it is not there already.
fn put_memory(memory: &mut OpenMemory<'_>, begun: &Begun) -> Result<(), ChangeError> {
    let Begun {
        at,
        expected_hash,
        change_id,
        change,
    } = begun;
    if let Some(id) = change.undo {
        let ids = memory.preimages().ids()?;
        if !ids.contains(&ChangeId(id)) {
            return Ok(());
        }
        let Some(preimage) = memory.preimages().read(ChangeId(id))? else {
            return Ok(());
        };
        let is_expected = memory.hash() == *expected_hash;
        if !is_expected && !memory.is(preimage.before.bytes()) {
            return Err(ChangeError::Changed);
        }
        return memory.undo(&preimage);
    }
    let Some(text) = &change.memory else {
        return Ok(());
    };
    if memory.text() == text {
        return Ok(());
    }
    if memory.hash() != *expected_hash {
        return Err(ChangeError::Changed);
    }
    let change = MemoryChange {
        id: ChangeId(*change_id),
        at: *at,
        cause: &change.cause,
        candidates: &change.candidates,
    };
    memory.write(text, change)
}
