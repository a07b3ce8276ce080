//! The messages of the live branch that no flush has covered yet.
//!
//! Keeps offsets in memory, and one entry at a time.

use base::EntryId;
use base::disk::DiskError;

use crate::Entry;
use crate::format::LineContent;
use crate::path::Path;
use crate::reader::{RawLine, RawText, TranscriptFile};
use crate::tree;

/// Iterates over the unflushed messages, oldest first.
///
/// Reads each message from the file when it is asked for, so a long span needs little memory.
#[derive(Debug, Default)]
pub struct Unflushed {
    file: Option<TranscriptFile>,
    /// Offset and length of each line, newest first.
    spots: Vec<(u64, u64)>,
}

impl Unflushed {
    /// Finds the messages between `flushed_through` and the leaf. Returns `None` as soon as there are more than
    /// `n_max`.
    pub(crate) fn find(
        file: TranscriptFile,
        flushed_through: Option<&EntryId>,
        n_max: usize,
    ) -> Result<Option<Self>, DiskError> {
        let mut spots = Vec::new();
        let mut leaf = None;
        let mut is_met = flushed_through.is_none();
        let mut path = Path::places_from_leaf(&file);
        while let Some(line) = path.next()? {
            leaf.get_or_insert(line.place.id.clone());
            if flushed_through == Some(&line.place.id) {
                is_met = true;
                break;
            }
            if line.says_something() {
                if spots.len() == n_max {
                    return Ok(None);
                }
                spots.push((line.offset, line.n_bytes));
            }
            // The child's parent id is checked too, because the line of the covered entry may be damaged.
            if flushed_through.is_some() && line.place.parent.as_ref() == flushed_through {
                is_met = true;
                break;
            }
        }
        let is_other_branch = path.has_jumped();
        if !is_met || is_other_branch {
            let covered_to = covered_to(&file, leaf.as_ref())?;
            spots.retain(|(offset, _)| covered_to.is_none_or(|covered_to| *offset > covered_to));
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
        self.spots.first().map(|(offset, _)| *offset)
    }

    /// Offset of the line of the oldest remaining entry.
    pub fn oldest_offset(&self) -> Option<u64> {
        self.spots.last().map(|(offset, _)| *offset)
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
            let (offset, n_bytes) = self.spots.pop()?;
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
