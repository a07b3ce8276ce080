//! The state of compaction and flush: the current epoch and how far the flushes reach.
//!
//! Ignores branches, so that neither a rewind nor another program can take an epoch back.

use base::disk::DiskError;

use crate::format::{LineContent, ShortMeta};
use crate::reader::{BackwardReader, TranscriptFile};
use crate::{Compaction, Entry, Epoch, Meta, Payload};

/// The state of a file and its offset.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FoundState {
    pub(crate) state: Meta,
    /// Offset of the newest line that holds the full state; 0 if there is none.
    pub(crate) offset: u64,
}

/// Reads the state of a file.
///
/// Reads back to the newest line with the full state, a `meta` or a rewind, and applies the compactions since.
pub(crate) fn read_state(file: &TranscriptFile) -> Result<FoundState, DiskError> {
    let mut since = Vec::new();
    let mut offset = 0;
    let mut back = BackwardReader::new(file);
    while let Some(raw) = back.previous()? {
        if raw.is_plain_message() {
            continue;
        }
        let content = raw.parse();
        let says_all = says_all(&content);
        if says_all || changes_state(&content) {
            since.push(content);
        }
        if says_all {
            offset = raw.offset;
            break;
        }
    }
    let mut state = Meta::default();
    for content in since.iter().rev() {
        match content {
            LineContent::Entry(entry) => apply(&mut state, entry),
            LineContent::ShortMeta(meta) => apply_short(&mut state, meta),
            LineContent::Header(_) | LineContent::Damaged { .. } => {}
        }
    }
    Ok(FoundState { state, offset })
}

pub(crate) fn says_state(entry: &Entry) -> bool {
    matches!(entry.payload, Payload::Meta(_) | Payload::Rewind(_))
}

/// Applies an entry to the state.
pub(crate) fn apply(state: &mut Meta, entry: &Entry) {
    match &entry.payload {
        Payload::Meta(meta) => state.clone_from(meta),
        Payload::Rewind(rewind) => state.clone_from(&rewind.state),
        Payload::Compaction(compaction) => {
            state.compaction_count = epoch_after(state.compaction_count, compaction);
            state.last_compaction_at = Some(entry.at);
            state.flush_failures = 0;
        }
        Payload::Message(_)
        | Payload::Reset(_)
        | Payload::BranchSummary(_)
        | Payload::CustomMessage(_)
        | Payload::Custom(_)
        | Payload::SessionInfo(_)
        | Payload::Other(..) => {}
    }
}

/// Applies a short state line; a flush of an epoch proves that the file has reached that epoch.
pub(crate) fn apply_short(state: &mut Meta, meta: &ShortMeta) {
    if let Some(flushed) = meta.memory_flush_compaction_count {
        state.memory_flush_compaction_count = Some(flushed);
        state.compaction_count = state.compaction_count.max(flushed);
    }
    state.last_compaction_at = meta.last_compaction_at.or(state.last_compaction_at);
}

/// Counts every compaction, even one without an epoch or with one that is too low.
pub(crate) fn epoch_after(count: Epoch, compaction: &Compaction) -> Epoch {
    let own = compaction.epoch.unwrap_or(count);
    own.max(count).next()
}

fn says_all(content: &LineContent) -> bool {
    matches!(content, LineContent::Entry(entry) if says_state(entry))
}

fn changes_state(content: &LineContent) -> bool {
    matches!(
        content,
        LineContent::ShortMeta(_)
            | LineContent::Entry(Entry {
                payload: Payload::Compaction(_),
                ..
            })
    )
}

#[cfg(test)]
#[path = "epoch_tests.rs"]
mod tests;
