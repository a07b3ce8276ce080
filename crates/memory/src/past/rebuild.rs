//! Rebuilds the workspace in memory, above the disk of the present one.

use std::sync::Arc;

use base::disk::{MemoryDisk, remove, replace};
use base::{Disk, Timestamp, Tz};

use super::candidates::state_at;
use super::curated::{past_archive, past_memory};
use super::gap::PastGap;
use super::logs::{PastFlushes, past_log};
use super::pages::leave_out_changed;
use crate::candidates::{MemoryTxnError, dream_state, put_dream_state};
use crate::tombstone::load_tombstones;
use crate::workspace::{ARCHIVE_FILE, MEMORY_FILE, Workspace};

/// A workspace as it was.
#[derive(Debug)]
pub struct PastWorkspace {
    /// The files. Nothing that is written to them reaches the real disk.
    pub workspace: Workspace,
    /// The disk of these files, above the present one.
    pub disk: Arc<dyn Disk>,
    /// What is left out.
    pub gaps: Vec<PastGap>,
    /// How often the owner has forgotten something since.
    pub n_forgets_since: usize,
}

/// Rebuilds the workspace as it was at a moment. The notes of a flush count from its end, and other notes from the day
/// of their log and the time in the heading above them. Tombstones stay those of the present.
///
/// # Errors
///
/// [`MemoryTxnError`] if the present files cannot be read.
pub fn past_workspace(
    present: &Workspace,
    flushes: &PastFlushes,
    (at, timezone): (Timestamp, Tz),
) -> Result<PastWorkspace, MemoryTxnError> {
    let disk: Arc<dyn Disk> = Arc::new(MemoryDisk::above(present.shared_disk()));
    let past = present.on_disk(Arc::clone(&disk));
    let mut gaps = leave_out_changed(present, &*disk, at)?;
    for day in present.log_days()? {
        let path = present.log_path(day).under(past.root());
        match past_log(present, day, flushes, (at, timezone))? {
            None => {}
            Some(text) if text.trim().is_empty() => remove(&*disk, &path)?,
            Some(text) => replace(&*disk, &path, text.as_bytes())?,
        }
    }
    let state = dream_state(present)?.unwrap_or_default();
    let tombstones = load_tombstones(present)?;
    let memory = past_memory(present, (&state, &tombstones), at)?;
    put(&past, MEMORY_FILE, memory.text.as_deref())?;
    let archive = past_archive(present, &memory, &state, (at, timezone))?;
    put(&past, ARCHIVE_FILE, archive.as_deref())?;
    gaps.splice(0..0, memory.gaps);
    put_dream_state(&past, &state_at(state, at))?;
    let n_forgets_since = tombstones.forgotten().filter(|it| it.at > at).count();
    Ok(PastWorkspace {
        workspace: past,
        disk,
        gaps,
        n_forgets_since,
    })
}

/// Writes a file of the past; `None` removes it.
fn put(past: &Workspace, name: &str, text: Option<&str>) -> Result<(), MemoryTxnError> {
    let (path, disk) = (past.root().join(name), past.disk());
    match text {
        Some(text) => Ok(replace(disk, &path, text.as_bytes())?),
        None if disk.stat(&path)?.is_some() => Ok(remove(disk, &path)?),
        None => Ok(()),
    }
}
