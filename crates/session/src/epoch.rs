//! The state of compaction and flush: the current epoch and how far the flushes reach.
//!
//! Ignores branches, so that neither a rewind nor another program can lower the epoch.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use base::disk::{DiskError, FileStat};
use base::locked;

use crate::format::{LineContent, ShortMeta};
use crate::reader::{BackwardReader, TranscriptFile};
use crate::unflushed::BacklogCache;
use crate::{Compaction, Entry, Epoch, Meta, Payload};

/// The state of a file and where it was found.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FoundState {
    pub(crate) state: Meta,
    /// Offset of the newest line that holds the full state; 0 if there is none.
    pub(crate) offset: u64,
}

/// The number of transcripts whose states are kept.
pub(crate) const KNOWN_MAX: usize = 256;

/// The states and backlogs of transcripts as they were last read: a long file of another program holds no full state,
/// so that it would be read whole each time, and the part of it that no flush has covered is read once for each block
/// of notes.
#[derive(Debug, Clone, Default)]
pub struct StateCache {
    states: Arc<Mutex<HashMap<PathBuf, (FileStat, FoundState)>>>,
    pub(crate) backlogs: BacklogCache,
}

impl StateCache {
    /// The state of a file that is as it was; a file whose times are not recorded may have changed.
    fn of(&self, path: &Path, stat: &FileStat) -> Option<FoundState> {
        let known = locked(&self.states);
        let (of, found) = known.get(path)?;
        (of == stat && stat.modified_at.is_some()).then(|| found.clone())
    }

    fn keep(&self, path: &Path, stat: &FileStat, found: &FoundState) {
        let mut known = locked(&self.states);
        if known.len() >= KNOWN_MAX {
            known.clear();
        }
        known.insert(path.to_owned(), (*stat, found.clone()));
    }
}

/// Reads the state of a file, or takes it as it was last read if the file has not changed since.
pub(crate) fn read_state(file: &TranscriptFile) -> Result<FoundState, DiskError> {
    let Some((states, stat)) = file.states() else {
        return found_state(file);
    };
    if let Some(found) = states.of(file.path(), stat) {
        return Ok(found);
    }
    let found = found_state(file)?;
    states.keep(file.path(), stat, &found);
    Ok(found)
}

/// Reads backwards to the newest line that contains the full state (a `meta` or a rewind), then applies the
/// compactions after it.
fn found_state(file: &TranscriptFile) -> Result<FoundState, DiskError> {
    let mut since = Vec::new();
    let mut offset = 0;
    let mut back = BackwardReader::new(file);
    while let Some(raw) = back.previous_other()? {
        let content = raw.parse();
        let is_full = matches!(&content, LineContent::Entry(entry) if stated(entry).is_some());
        if is_full || counts(&content) {
            since.push(content);
        }
        if is_full {
            offset = raw.offset;
            break;
        }
    }
    let mut state = Meta::default();
    for content in since.iter().rev() {
        apply_line(&mut state, content);
    }
    Ok(FoundState { state, offset })
}

/// Whether a line changes part of the state.
fn counts(content: &LineContent) -> bool {
    match content {
        LineContent::Entry(entry) => matches!(entry.payload, Payload::Compaction(_)),
        LineContent::ShortMeta(_) => true,
        LineContent::Header(_) | LineContent::Damaged { .. } => false,
    }
}

/// Applies a line to the state.
pub(crate) fn apply_line(state: &mut Meta, content: &LineContent) {
    match content {
        LineContent::Entry(entry) => apply(state, entry),
        LineContent::ShortMeta(meta) => apply_short(state, meta),
        LineContent::Header(_) | LineContent::Damaged { .. } => {}
    }
}

/// The full state that a `meta` or a rewind records.
pub(crate) fn stated(entry: &Entry) -> Option<&Meta> {
    if let Payload::Meta(meta) = &entry.payload {
        Some(meta)
    } else if let Payload::Rewind(rewind) = &entry.payload {
        Some(&rewind.state)
    } else {
        None
    }
}

/// Applies an entry to the state.
pub(crate) fn apply(state: &mut Meta, entry: &Entry) {
    if let Some(stated) = stated(entry) {
        state.clone_from(stated);
    } else if let Payload::Compaction(compaction) = &entry.payload {
        state.compaction_count = epoch_after(state.compaction_count, compaction);
        state.last_compaction_at = Some(entry.at);
        state.flush_failures = 0;
    }
}

/// Applies a short state line. A flush in an epoch proves that the file has reached that epoch.
pub(crate) fn apply_short(state: &mut Meta, meta: &ShortMeta) {
    if let Some(flushed) = meta.memory_flush_compaction_count {
        state.memory_flush_compaction_count = Some(flushed);
        state.compaction_count = state.compaction_count.max(flushed);
    }
    state.last_compaction_at = meta.last_compaction_at.or(state.last_compaction_at);
}

/// The epoch after a compaction. Every compaction counts, even if its own epoch is missing or too low.
pub(crate) fn epoch_after(count: Epoch, compaction: &Compaction) -> Epoch {
    let own = compaction.epoch.unwrap_or(count);
    own.max(count).next()
}

#[cfg(test)]
#[path = "epoch_tests.rs"]
mod tests;
