//! The tree of all entries of a file. It answers what a walk from the leaf cannot: the state after a rewind, and how
//! far flushes reach on each branch.
//!
//! Keeps ids and offsets in memory, but no content.

use std::collections::HashMap;

use base::EntryId;
use base::disk::DiskError;

use crate::entry::EntryPlace;
use crate::format::LineContent;
use crate::reader::TranscriptFile;
use crate::{Entry, EntryPointer, Meta, Payload, Rewind, epoch};

/// The entries of a file, in file order.
///
/// Invariant: a parent precedes its child, as on the paths that `path` walks.
#[derive(Debug, Default)]
pub(crate) struct EntryTree {
    nodes: Vec<TreeNode>,
    newest_by_id: HashMap<EntryId, NodeIdx>,
}

/// The index of an entry in file order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct NodeIdx(usize);

#[derive(Debug)]
struct TreeNode {
    id: EntryId,
    offset: u64,
    parent: Option<NodeIdx>,
    is_covered: bool,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Added {
    pub(crate) idx: NodeIdx,
    /// Its parent. If the named parent is missing, the previous entry in the file.
    pub(crate) parent: Option<NodeIdx>,
    /// Whether the named parent is missing, or the line has no readable parent field.
    pub(crate) is_orphan: bool,
    /// Whether an earlier entry has the same id.
    pub(crate) is_duplicate: bool,
}

impl EntryTree {
    /// Adds the next entry of the file; `entry` is `None` if only its place is readable.
    pub(crate) fn add(&mut self, place: &EntryPlace, offset: u64, entry: Option<&Entry>) -> Added {
        let named = self.named_parent(place, entry);
        let is_orphan = place.parent.is_some() && named.is_none();
        let before = self.nodes.len().checked_sub(1).map(NodeIdx);
        let parent = if is_orphan { before } else { named };
        let idx = NodeIdx(self.nodes.len());
        self.nodes.push(TreeNode {
            id: place.id.clone(),
            offset,
            parent,
            is_covered: false,
        });
        let earlier = self.newest_by_id.insert(place.id.clone(), idx);
        Added {
            idx,
            parent,
            is_orphan,
            is_duplicate: earlier.is_some(),
        }
    }

    /// The newest entry with this id so far.
    pub(crate) fn find(&self, id: &EntryId) -> Option<NodeIdx> {
        self.newest_by_id.get(id).copied()
    }

    pub(crate) fn id(&self, idx: NodeIdx) -> Option<&EntryId> {
        self.nodes.get(idx.0).map(|node| &node.id)
    }

    /// Offset of the entry's line.
    pub(crate) fn offset(&self, idx: NodeIdx) -> Option<u64> {
        self.nodes.get(idx.0).map(|node| node.offset)
    }

    /// Whether the entry on the line at this offset has this id.
    pub(crate) fn stands_at(&self, id: &EntryId, offset: u64) -> bool {
        self.at(offset).and_then(|idx| self.id(idx)) == Some(id)
    }

    fn at(&self, offset: u64) -> Option<NodeIdx> {
        let found = self.nodes.binary_search_by_key(&offset, |node| node.offset);
        found.ok().map(NodeIdx)
    }

    /// An entry and its ancestors, newest first.
    pub(crate) fn ancestry(&self, idx: NodeIdx) -> impl Iterator<Item = NodeIdx> {
        let parent = |idx: &NodeIdx| self.nodes.get(idx.0).and_then(|node| node.parent);
        std::iter::successors(Some(idx), parent)
    }

    /// Whether a flush covered the entry.
    pub(crate) fn is_covered(&self, idx: NodeIdx) -> bool {
        self.nodes.get(idx.0).is_some_and(|node| node.is_covered)
    }

    /// Marks an entry and all its ancestors as covered by a flush.
    pub(crate) fn cover_through(&mut self, idx: NodeIdx) {
        let mut next = Some(idx);
        while let Some(node) = next.and_then(|idx| self.nodes.get_mut(idx.0)) {
            // The ancestors of a covered entry are covered already.
            if node.is_covered {
                break;
            }
            node.is_covered = true;
            next = node.parent;
        }
    }

    fn named_parent(&self, place: &EntryPlace, entry: Option<&Entry>) -> Option<NodeIdx> {
        let parent = place.parent.as_ref()?;
        let pointed = match entry.map(|entry| &entry.payload) {
            Some(Payload::Rewind(rewind)) => self
                .at(rewind.target.offset)
                .filter(|idx| self.id(*idx) == Some(parent)),
            _ => None,
        };
        pointed.or_else(|| self.find(parent))
    }
}

/// Reads the tree of a file and marks the entries that flushes covered.
pub(crate) fn read_tree(file: &TranscriptFile) -> Result<EntryTree, DiskError> {
    let mut tree = EntryTree::default();
    for line in file.lines() {
        let line = line?;
        if let LineContent::Entry(entry) = &line.content {
            tree.add(&entry.place(), line.offset, Some(entry));
            if let Some(covered) = flushed_through(entry).and_then(|id| tree.find(id)) {
                tree.cover_through(covered);
            }
        } else if let LineContent::Damaged { place, .. } = &line.content
            && let Some(place) = place
        {
            tree.add(place, line.offset, None);
        }
    }
    Ok(tree)
}

/// The newest covered entry among `leaf` and its ancestors, whichever branch the flush ran on.
pub(crate) fn farthest_covered(tree: &EntryTree, leaf: NodeIdx) -> Option<NodeIdx> {
    tree.ancestry(leaf).find(|idx| tree.is_covered(*idx))
}

/// Plans a rewind; `None` if no entry has that id.
///
/// The epoch, the flush marker and an open intent belong to the file and do not change, because a flush in this epoch
/// counts for every branch. Only `flushed_through` is recomputed for the target's branch.
pub(crate) fn plan_rewind(tree: &EntryTree, target: &EntryId, state: &Meta) -> Option<Rewind> {
    let idx = tree.find(target)?;
    let covered = farthest_covered(tree, idx).and_then(|idx| tree.id(idx));
    Some(Rewind {
        target: EntryPointer {
            id: target.clone(),
            offset: tree.offset(idx)?,
        },
        state: Meta {
            flushed_through: covered.cloned(),
            rewind_count: state.rewind_count.saturating_add(1),
            ..state.clone()
        },
    })
}

fn flushed_through(entry: &Entry) -> Option<&EntryId> {
    epoch::stated(entry)?.flushed_through.as_ref()
}
