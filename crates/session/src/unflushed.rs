//! The messages of the live branch that no flush has covered yet.
//!
//! Keeps offsets in memory, and one entry at a time.

use std::collections::HashMap;
use std::path::{self, PathBuf};
use std::sync::{Arc, Mutex};

use base::disk::DiskError;
use base::{EntryId, locked};

use crate::Entry;
use crate::epoch::KNOWN_MAX;
use crate::format::LineContent;
use crate::path::{Path, id_hash};
use crate::reader::{RawLine, RawText, TranscriptFile};
use crate::tree;

/// Iterates over the unflushed messages, oldest first.
///
/// Reads each message from the file when it is asked for, so a long span needs little memory.
#[derive(Debug, Default)]
pub struct Unflushed {
    file: Option<TranscriptFile>,
    /// The place of each line, newest first.
    spots: Vec<Spot>,
}

/// The place of an entry's line.
#[derive(Debug, Clone, Copy)]
struct Spot {
    offset: u64,
    n_bytes: u64,
    /// Hash of the entry's id.
    id_hash: u64,
}

/// The backlogs of transcripts as they were last found.
#[derive(Debug, Clone, Default)]
pub(crate) struct BacklogCache(Arc<Mutex<HashMap<PathBuf, Arc<KnownBacklog>>>>);

/// A backlog that was found by a walk from a leaf down to the entry that the flushes had reached.
#[derive(Debug)]
struct KnownBacklog {
    /// The leaf and the offset of its line.
    leaf: (EntryId, u64),
    flushed_through: Option<EntryId>,
    spots: Vec<Spot>,
}

impl BacklogCache {
    fn of(&self, path: &path::Path) -> Option<Arc<KnownBacklog>> {
        locked(&self.0).get(path).cloned()
    }

    fn keep(&self, path: &path::Path, backlog: KnownBacklog) {
        let mut known = locked(&self.0);
        if known.len() >= KNOWN_MAX {
            known.clear();
        }
        known.insert(path.to_owned(), Arc::new(backlog));
    }
}

impl KnownBacklog {
    /// The number of entries after the one that the flushes have reached by now; `None` if that one is not known. A line
    /// is read again before it is believed to be where it was.
    fn n_after(
        &self,
        file: &TranscriptFile,
        flushed_through: Option<&EntryId>,
    ) -> Result<Option<usize>, DiskError> {
        if self.flushed_through.as_ref() == flushed_through {
            return Ok(Some(self.spots.len()));
        }
        let Some(through) = flushed_through else {
            return Ok(None);
        };
        let id_hash = id_hash(through);
        for (n_after, spot) in self.spots.iter().enumerate() {
            if spot.id_hash == id_hash && is_at(file, spot, through)? {
                return Ok(Some(n_after));
            }
        }
        Ok(None)
    }
}

/// Whether the line at this place is the entry with this id.
fn is_at(file: &TranscriptFile, spot: &Spot, id: &EntryId) -> Result<bool, DiskError> {
    let line = file.line_at(spot.offset)?;
    Ok(line
        .is_some_and(|line| matches!(line.parse(), LineContent::Entry(entry) if entry.id == *id)))
}

impl Unflushed {
    /// Finds the messages between `flushed_through` and the leaf. Returns `None` as soon as there are more than
    /// `n_max`.
    pub(crate) fn find(
        file: TranscriptFile,
        flushed_through: Option<&EntryId>,
        n_max: usize,
    ) -> Result<Option<Self>, DiskError> {
        let known = file.states().map(|(states, _)| states.backlogs.clone());
        let last = known.as_ref().and_then(|known| known.of(file.path()));
        let mut spots = Vec::new();
        let mut leaf = None;
        let mut is_met = flushed_through.is_none();
        let mut path = Path::places_from_leaf(&file);
        while let Some(line) = path.next()? {
            leaf.get_or_insert_with(|| (line.place.id.clone(), line.offset));
            if flushed_through == Some(&line.place.id) {
                is_met = true;
                break;
            }
            if let Some(last) = &last
                && last.leaf == (line.place.id.clone(), line.offset)
                && !path.has_jumped()
                && let Some(n_after) = last.n_after(&file, flushed_through)?
            {
                spots.extend(last.spots.iter().take(n_after));
                is_met = true;
                break;
            }
            if line.says_something() {
                if spots.len() == n_max {
                    return Ok(None);
                }
                spots.push(Spot {
                    offset: line.offset,
                    n_bytes: line.n_bytes,
                    id_hash: id_hash(&line.place.id),
                });
            }
            // The child's parent id is checked too, because the line of the covered entry may be damaged.
            if flushed_through.is_some() && line.place.parent.as_ref() == flushed_through {
                is_met = true;
                break;
            }
        }
        if spots.len() > n_max {
            return Ok(None);
        }
        let is_other_branch = path.has_jumped();
        if !is_met || is_other_branch {
            let leaf = leaf.map(|(id, _)| id);
            let covered_to = covered_to(&file, leaf.as_ref())?;
            spots.retain(|spot| covered_to.is_none_or(|covered_to| spot.offset > covered_to));
        } else if let (Some(known), Some(leaf)) = (known, leaf) {
            let backlog = KnownBacklog {
                leaf,
                flushed_through: flushed_through.cloned(),
                spots: spots.clone(),
            };
            known.keep(file.path(), backlog);
        }
        Ok(Some(Self {
            file: Some(file),
            spots,
        }))
    }

    /// The number of remaining entries, with those whose messages turn out to be damaged.
    pub fn n_entries(&self) -> usize {
        self.spots.len()
    }

    /// Offset of the line of the newest remaining entry.
    pub fn newest_offset(&self) -> Option<u64> {
        self.spots.first().map(|spot| spot.offset)
    }

    /// Offset of the line of the oldest remaining entry.
    pub fn oldest_offset(&self) -> Option<u64> {
        self.spots.last().map(|spot| spot.offset)
    }

    /// Whether no entry remains.
    pub fn is_empty(&self) -> bool {
        self.spots.is_empty()
    }
}

impl Iterator for Unflushed {
    type Item = Result<Entry, DiskError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let Spot {
                offset, n_bytes, ..
            } = self.spots.pop()?;
            let length = usize::try_from(n_bytes).unwrap_or(usize::MAX);
            let raw = match self.file.as_ref()?.read(offset, length) {
                Ok(bytes) => RawLine {
                    offset,
                    len: n_bytes,
                    text: RawText::Bytes(bytes),
                },
                Err(error) => return Some(Err(error)),
            };
            if let LineContent::Entry(entry) = raw.parse() {
                return Some(Ok(entry));
            }
        }
    }
}

/// Offset of the newest covered entry on the leaf's branch.
///
/// Reads the whole file. Needed only if another program changed the branch without a rewind.
fn covered_to(file: &TranscriptFile, leaf: Option<&EntryId>) -> Result<Option<u64>, DiskError> {
    let tree = tree::read_tree(file)?;
    let leaf = leaf.and_then(|leaf| tree.find(leaf));
    let covered = leaf.and_then(|leaf| tree::farthest_covered(&tree, leaf));
    Ok(covered.and_then(|covered| tree.offset(covered)))
}
