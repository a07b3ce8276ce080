//! Branches of a conversation: what a rewind says, and how far flushes reach on any of them.
//!
//! Plans only: `turn` appends what is planned here.

use base::EntryId;
use base::disk::DiskError;

use crate::format::{LineContent, Place};
use crate::reader::TranscriptFile;
use crate::tree::{NodeIdx, Tree};
use crate::{Entry, EntryPointer, Meta, Payload, Rewind};

/// Reads the tree of a file, with the entries marked that successful flushes covered.
pub(crate) fn read_tree(file: &TranscriptFile) -> Result<Tree, DiskError> {
    let mut tree = Tree::default();
    for line in file.lines() {
        let line = line?;
        match line.content {
            LineContent::Entry(entry) => {
                let place = Place {
                    id: entry.id.clone(),
                    parent: entry.parent.clone(),
                };
                tree.add(&place, line.offset, Some(&entry));
                if let Some(covered) = flushed_through(&entry).and_then(|id| tree.find(id)) {
                    tree.cover_through(covered);
                }
            }
            LineContent::Damaged {
                place: Some(place), ..
            } => {
                tree.add(&place, line.offset, None);
            }
            LineContent::Damaged { place: None, .. }
            | LineContent::Header(_)
            | LineContent::ShortMeta(_) => {}
        }
    }
    Ok(tree)
}

/// The farthest entry on the branch of `leaf` that any flush covered, on whatever branch it ran.
pub(crate) fn farthest_covered(tree: &Tree, leaf: NodeIdx) -> Option<NodeIdx> {
    tree.ancestry(leaf).find(|idx| tree.is_covered(*idx))
}

/// Plans a rewind; `None` where no entry has that id.
///
/// Epoch, marker and an intent that is open stay as the file has them: a flush that ran in this epoch
/// has run, whatever the branch. Only how far the flushes reach is told anew, for the target's branch.
pub(crate) fn plan_rewind(tree: &Tree, target: &EntryId, state: &Meta) -> Option<Rewind> {
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
    match &entry.payload {
        Payload::Meta(meta) => meta.flushed_through.as_ref(),
        Payload::Rewind(rewind) => rewind.state.flushed_through.as_ref(),
        Payload::Message(_)
        | Payload::Compaction(_)
        | Payload::Reset(_)
        | Payload::BranchSummary(_)
        | Payload::CustomMessage(_)
        | Payload::Custom(_)
        | Payload::Other { .. } => None,
    }
}
