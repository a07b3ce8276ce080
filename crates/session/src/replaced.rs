//! Reads the messages that a compaction replaced.
//!
//! It only compares the views before and after the compaction.

use std::collections::BTreeSet;

use base::disk::DiskError;
use base::{EntryId, Timestamp};

use crate::lookup::{self, FoundCompaction};
use crate::path::Path;
use crate::reader::TranscriptFile;
use crate::view::{self, read_view, read_view_at};
use crate::{CopiedFrom, EntryPointer, Epoch, Payload, ResumeLimit, View, ViewItem};

/// The messages behind a summary, or a single entry.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplacedItems {
    /// The compaction that replaced them; `None` for a single entry.
    pub compaction: Option<ReplacedBy>,
    /// The original messages, oldest first. If there was an earlier summary, it comes first.
    pub items: Vec<ViewItem>,
    /// Whether the limit cut off older items.
    pub is_cut: bool,
}

/// The compaction that replaced the messages.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplacedBy {
    pub entry: EntryId,
    /// The epoch that it ended.
    pub epoch: Epoch,
    /// The time of the compaction.
    pub at: Timestamp,
    /// The original compaction, if this one is a copy. The replaced messages are then in the original's session.
    pub copied_from: Option<CopiedFrom>,
}

/// The messages that the newest compaction on the live branch replaced; `None` without a compaction.
pub(crate) fn by_newest(
    file: &TranscriptFile,
    limit: ResumeLimit,
) -> Result<Option<ReplacedItems>, DiskError> {
    let Some((entry, _)) = read_view(file, limit)?.compaction else {
        return Ok(None);
    };
    by_compaction(file, |found| found.pointer.id == entry, limit)
}

/// The messages that the first compaction with `is_wanted` replaced; `None` if there is none.
pub(crate) fn by_compaction(
    file: &TranscriptFile,
    is_wanted: impl Fn(&FoundCompaction) -> bool,
    limit: ResumeLimit,
) -> Result<Option<ReplacedItems>, DiskError> {
    let Some(found) = lookup::compaction(file, is_wanted)? else {
        return Ok(None);
    };
    let mut path = Path::from_entry(file, found.pointer.offset);
    let Some(entry) = path.next()?.and_then(|line| line.entry) else {
        return Ok(None);
    };
    let Payload::Compaction(compaction) = &entry.payload else {
        return Ok(None);
    };
    let View { mut items, is_cut } = match path.next()? {
        Some(line) => read_view_at(file, line.offset, limit)?.view,
        None => View::default(),
    };
    let after = read_view_at(file, found.pointer.offset, limit)?.view;
    let kept: BTreeSet<&EntryId> = after.items.iter().map(|item| &item.entry).collect();
    items.retain(|item| !kept.contains(&item.entry));
    Ok(Some(ReplacedItems {
        compaction: Some(ReplacedBy {
            entry: entry.id,
            epoch: found.epoch,
            at: entry.at,
            copied_from: compaction.details.copied_from.as_deref().cloned(),
        }),
        items,
        is_cut,
    }))
}

/// The message of an entry or, for a compaction, the messages that it replaced; otherwise `None`.
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
        return by_compaction(file, |found| found.pointer.offset == pointer.offset, limit);
    }
    Ok(view::item(&entry).map(|item| ReplacedItems {
        compaction: None,
        items: vec![item],
        is_cut: false,
    }))
}

#[cfg(test)]
#[path = "replaced_tests.rs"]
mod tests;
