//! Undoes the last change of long-term memory, byte for byte.
//!
//! Never undoes what the owner wrote.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ops::{OpContext, OpError, Operation};

/// Asks to undo the last change of `MEMORY.md`, or the last rejection.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UndoChange {
    /// Whether only to say what would be undone.
    #[serde(default)]
    pub dry_run: bool,
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
        let taken_back = desk.undo()?;
        Ok(UndoReply {
            taken_back,
            waiting: desk.state().pending.len(),
            dry_run: self.dry_run,
        })
    }
}
