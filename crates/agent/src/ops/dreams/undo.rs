//! Undoes the last change of long-term memory, byte for byte.
//!
//! Never undoes what the owner wrote.

use base::short_hash;
use memory::candidates::{Candidate, MemoryTxn};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ops::{OpContext, OpError, Operation};

/// Asks to undo the last change of `MEMORY.md`, or the last rejection.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UndoChange {
    /// Whether only to say what would be undone.
    #[serde(default)]
    pub dry_run: bool,
    /// The id of a line or candidate: undoes the decision about it, and what was decided together with it, instead of the
    /// last one.
    pub id: Option<String>,
    /// Identifies the change to undo, by what it left; without it, the last one is undone, whichever it is.
    pub left: Option<String>,
    /// The cause of the change to undo, instead of the last one.
    #[serde(skip)]
    pub cause: Option<String>,
    /// The candidate before the change reworded it: it gets back these words.
    #[serde(skip)]
    pub reworded: Option<Candidate>,
}

/// What was undone.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UndoReply {
    /// The change, in words.
    pub taken_back: String,
    /// Number of candidates that wait.
    pub waiting: usize,
    /// Whether nothing was changed.
    pub dry_run: bool,
}

impl Operation for UndoChange {
    type Reply = UndoReply;

    fn run(self, at: &OpContext<'_>) -> Result<UndoReply, OpError> {
        let home = at.home_for(self.dry_run.into());
        let at = &OpContext { home: &home, ..*at };
        let mut desk = at.desk()?;
        if self.left.is_some_and(|left| left != left_by_last(&desk)) {
            return Err(OpError::ChangedSince);
        }
        let taken_back = match (self.cause, self.id) {
            (Some(cause), _) => {
                desk.undo_change(&cause)?;
                cause
            }
            (None, Some(id)) => desk.undo_decision(&id)?,
            (None, None) => desk.undo()?,
        };
        if let Some(before) = &self.reworded {
            desk.restore_words(before)?;
        }
        Ok(UndoReply {
            taken_back,
            waiting: desk.state().pending.len(),
            dry_run: self.dry_run,
        })
    }
}

/// Identifies the last change: what it left in `MEMORY.md`, and how it is worded.
pub fn left_by_last(desk: &MemoryTxn<'_>) -> String {
    let told = desk.last_decision().unwrap_or_default();
    short_hash(&format!("{told}\n{}", desk.memory().readable()))
}
