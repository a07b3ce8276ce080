//! Reads the messages that a compaction replaced.
//!
//! Compares only the views before and after it.

use std::collections::{BTreeMap, BTreeSet};

use base::disk::DiskError;
use base::{EntryId, Timestamp};

use crate::lookup::{self, FoundCompaction};
use crate::path::Path;
use crate::reader::TranscriptFile;
use crate::view::{self, ReadView, read_view, read_view_at};
use crate::{CopiedFrom, EntryPointer, Epoch, Payload, ResumeLimit, ViewItem};

/// The messages behind a summary, or a single entry.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplacedItems {
    /// The compaction that replaced them; `None` for a single entry.
    pub compaction: Option<ReplacedBy>,
    /// The original messages, oldest first, after an earlier summary if there was one.
    pub items: Vec<ViewItem>,
    /// The originals of those that are copies from another session.
    pub copies: BTreeMap<EntryId, CopiedFrom>,
    /// Whether the limit cut older items off.
    pub is_cut: bool,
}

/// The compaction that replaced the messages.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplacedBy {
    /// Its entry.
    pub entry: EntryId,
    /// The epoch that it ended.
    pub epoch: Epoch,
    /// Its time.
    pub at: Timestamp,
    /// Its original, if it is a copy; the replaced messages are then in that session.
    pub copied_from: Option<CopiedFrom>,
}

/// What the newest compaction on the live branch replaced; `None` without a compaction.
pub(crate) fn by_newest(
    file: &TranscriptFile,
    limit: ResumeLimit,
) -> Result<Option<ReplacedItems>, DiskError> {
    let Some((entry, _)) = read_view(file, limit)?.compaction else {
        return Ok(None);
    };
    let found = lookup::compaction(file, |found| found.pointer.id == entry)?;
    match found {
        Some(found) => by_compaction(file, &found, limit),
        None => Ok(None),
    }
}

/// What a compaction replaced; `None` if its line is not a compaction.
pub(crate) fn by_compaction(
    file: &TranscriptFile,
    found: &FoundCompaction,
    limit: ResumeLimit,
) -> Result<Option<ReplacedItems>, DiskError> {
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
    Ok(Some(ReplacedItems {
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

/// The message of an entry, or what it replaced if it is a compaction; otherwise `None`.
pub(crate) fn by_entry(
    file: &TranscriptFile,
    pointer: &EntryPointer,
    limit: ResumeLimit,
) -> Result<Option<ReplacedItems>, DiskError> {
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
    Ok(view::item(&entry).map(|item| ReplacedItems {
        compaction: None,
        items: vec![item],
        copies: copies.into_iter().collect(),
        is_cut: false,
    }))
}

#[cfg(test)]
#[path = "replaced_tests.rs"]
mod tests;
