//! What a compaction replaced, word for word.
//!
//! Reads only what the window showed before it and after it.

use std::collections::{BTreeMap, BTreeSet};

use base::disk::DiskError;
use base::{EntryId, Timestamp};

use crate::lookup::{self, FoundCompaction};
use crate::path::Path;
use crate::reader::TranscriptFile;
use crate::view::{self, ReadView, read_view, read_view_at};
use crate::{CopiedFrom, EntryPointer, Epoch, Payload, ResumeLimit, ViewItem};

/// What stands behind a summary, or an entry of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct Replaced {
    /// The compaction that replaced it; `None` where a message was asked for.
    pub compaction: Option<ReplacedBy>,
    /// Messages as they were said, oldest first; an earlier summary stands at the front.
    pub items: Vec<ViewItem>,
    /// The entries of another session that some of them are copies of.
    pub copies: BTreeMap<EntryId, CopiedFrom>,
    /// Whether more stood before them than was read.
    pub is_cut: bool,
}

/// The compaction that replaced messages.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplacedBy {
    /// Its entry.
    pub entry: EntryId,
    /// The epoch that it ended.
    pub epoch: Epoch,
    /// When.
    pub at: Timestamp,
    /// Where it was copied from: what it replaced is there and not here.
    pub copied_from: Option<CopiedFrom>,
}

/// What the newest compaction of the conversation replaced; `None` where there is none.
pub(crate) fn by_newest(
    file: &TranscriptFile,
    limit: ResumeLimit,
) -> Result<Option<Replaced>, DiskError> {
    let Some((entry, _)) = read_view(file, limit)?.compaction else {
        return Ok(None);
    };
    let found = lookup::compaction(file, |found| found.pointer.id == entry)?;
    match found {
        Some(found) => by_compaction(file, &found, limit),
        None => Ok(None),
    }
}

/// What a compaction replaced; `None` where its line is none.
pub(crate) fn by_compaction(
    file: &TranscriptFile,
    found: &FoundCompaction,
    limit: ResumeLimit,
) -> Result<Option<Replaced>, DiskError> {
    let mut path = Path::from_entry(file, found.pointer.offset);
    let Some(entry) = path.next()?.and_then(|line| line.entry) else {
        return Ok(None);
    };
    let Payload::Compaction(compaction) = &entry.payload else {
        return Ok(None);
    };
    let before = match path.next()? {
        Some(line) => Some(read_view_at(file, line.offset, limit)?),
        None => None,
    };
    let (items, copies, is_cut) = before.map_or_else(Default::default, |read| {
        let ReadView { view, copies, .. } = read;
        (view.items, copies, view.is_cut)
    });
    let after = read_view_at(file, found.pointer.offset, limit)?.view;
    let kept: BTreeSet<&EntryId> = after.items.iter().map(|item| &item.entry).collect();
    let items = items
        .into_iter()
        .filter(|item| !kept.contains(&item.entry))
        .collect();
    Ok(Some(Replaced {
        compaction: Some(ReplacedBy {
            entry: entry.id,
            epoch: found.epoch,
            at: entry.at,
            copied_from: compaction.details.copied_from.as_deref().cloned(),
        }),
        items,
        copies,
        is_cut,
    }))
}

/// What an entry says: a message, or what a compaction replaced; `None` where it says nothing.
pub(crate) fn by_entry(
    file: &TranscriptFile,
    pointer: &EntryPointer,
    limit: ResumeLimit,
) -> Result<Option<Replaced>, DiskError> {
    let line = Path::from_entry(file, pointer.offset).next()?;
    let Some(entry) = line.and_then(|line| line.entry) else {
        return Ok(None);
    };
    if let Payload::Compaction(_) = &entry.payload {
        let found = lookup::compaction(file, |found| found.pointer.offset == pointer.offset)?;
        return match found {
            Some(found) => by_compaction(file, &found, limit),
            None => Ok(None),
        };
    }
    let original = entry.payload.copied_from();
    let copies = original.map(|from| (entry.id.clone(), from.clone()));
    Ok(view::item(&entry).map(|item| Replaced {
        compaction: None,
        items: vec![item],
        copies: copies.into_iter().collect(),
        is_cut: false,
    }))
}

#[cfg(test)]
#[path = "replaced_tests.rs"]
mod tests;
