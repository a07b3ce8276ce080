//! The change that one decision or one dream makes, and the form in which it is announced.

use base::Timestamp;
use serde::{Deserialize, Serialize};

use super::state::DreamState;
use super::wire::with_version;
use crate::ledger::{Ledger, NoteRecord};
use crate::note_text::{MemoryText, NoteLine};
use crate::workspace::{ARCHIVE_FILE, MEMORY_FILE};

/// All that one decision or one dream changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StateChange {
    /// The new content of `MEMORY.md`, if it changes.
    pub(super) memory: Option<MemoryText>,
    /// The id of the `MEMORY.md` change to undo, if this is an undo.
    pub(super) undo: Option<u64>,
    /// The reason, in a few words.
    pub(super) cause: String,
    /// Ids of the candidates that this change decides.
    pub(super) candidates: Vec<String>,
    /// Lines to append to the archive.
    pub(super) archived: Vec<NoteLine<'static>>,
    /// The new state.
    pub(super) state: DreamState,
}

impl StateChange {
    /// A change to the state alone.
    pub(super) fn of_state(state: DreamState, cause: impl Into<String>) -> Self {
        Self {
            memory: None,
            undo: None,
            cause: cause.into(),
            candidates: Vec::new(),
            archived: Vec::new(),
            state,
        }
    }
}

/// An announced change, as stored in `dreams/pending.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BegunChange {
    pub(super) at: Timestamp,
    pub(super) expected_hash: String,
    pub(super) change_id: u64,
    memory: Option<String>,
    /// The records of `memory` that are not committed yet; none where an earlier version wrote them into it.
    #[serde(default)]
    records: Vec<NoteRecord>,
    pub(super) undo: Option<u64>,
    pub(super) cause: String,
    pub(super) candidates: Vec<String>,
    archived: Vec<ArchivedLine>,
    #[serde(serialize_with = "with_version")]
    pub(super) state: DreamState,
}

/// An announced line of the archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
enum ArchivedLine {
    /// As earlier versions announced it, with its record in a comment.
    Earlier(String),
    Line {
        text: String,
        record: Box<NoteRecord>,
    },
}

impl BegunChange {
    pub(super) fn of(
        change: StateChange,
        ledger: &Ledger,
        (at, expected_hash, change_id): (Timestamp, String, u64),
    ) -> Self {
        let memory = change.memory.as_ref();
        let (memory, records) = memory.map(|text| ledger.written(MEMORY_FILE, text)).unzip();
        let archived = change.archived.iter().filter_map(|line| {
            Some(ArchivedLine::Line {
                text: line.text().to_owned(),
                record: Box::new(line.record()?.clone()),
            })
        });
        Self {
            at,
            expected_hash,
            change_id,
            memory,
            records: records.unwrap_or_default(),
            undo: change.undo,
            cause: change.cause,
            candidates: change.candidates,
            archived: archived.collect(),
            state: change.state,
        }
    }

    /// The new content of `MEMORY.md`, if it changes.
    pub(super) fn memory(&self, ledger: &Ledger) -> Option<MemoryText> {
        let text = self.memory.as_ref()?;
        let ledger = ledger.with(&self.records);
        Some(ledger.read(MEMORY_FILE, text).into_owned())
    }

    /// The lines to append to the archive.
    pub(super) fn archived(&self, ledger: &Ledger) -> Vec<NoteLine<'static>> {
        let lines = self.archived.iter().flat_map(|line| match line {
            ArchivedLine::Earlier(text) => ledger.read(ARCHIVE_FILE, text).into_owned().lines,
            ArchivedLine::Line { text, record } => {
                vec![NoteLine::unwritten_of(text.clone(), (**record).clone())]
            }
        });
        lines.collect()
    }
}
