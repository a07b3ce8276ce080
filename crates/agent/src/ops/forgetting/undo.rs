//! Undoes a forget: its lines come back into their files, and search finds everything again.
//!
//! Never overwrites what was written since.

use memory::{TombstoneId, undo_forgetting};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ops::{OpContext, OpError, Operation};

/// Asks to restore what was forgotten.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UndoForget {
    /// The id of the forget.
    pub id: String,
}

/// What was restored.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct UndoForgetReply {
    /// The id of the forget.
    pub id: String,
    /// The files that have their lines again.
    pub restored: Vec<String>,
    /// The files whose earlier version is no longer kept.
    pub lost: Vec<String>,
    /// Number of candidates that wait again.
    pub waiting: usize,
}

impl Operation for UndoForget {
    type Reply = UndoForgetReply;

    fn run(self, at: &OpContext<'_>) -> Result<UndoForgetReply, OpError> {
        let id = TombstoneId::new(&self.id);
        let undone = undo_forgetting(&at.home.workspace, &id, at.home.clock.now())?;
        if let Some(knowledge) = at.knowledge {
            // A search after a failure says that the index is behind.
            knowledge.sync(&mut |_| {}).unwrap_or_default();
        }
        let shown = |paths: Vec<memory::WorkspacePath>| {
            paths.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        Ok(UndoForgetReply {
            id: self.id,
            restored: shown(undone.restored),
            lost: shown(undone.lost),
            waiting: undone.n_waiting,
        })
    }
}
