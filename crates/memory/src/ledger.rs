//! What models read and wrote beside the conversation, by day and purpose: `state/ledger.json`.
//!
//! Bounded; refuses nothing: a budget is for whoever reads it.

use std::collections::BTreeMap;

use base::disk::{DiskError, LockError, read_some, replace};
use base::model::Purpose;
use base::{Day, TokenCount};
use serde::{Deserialize, Serialize};

use crate::workspace::Workspace;

const VERSION: u32 = 1;

/// Longest record that is read.
const BYTES_MAX: u64 = 1024 * 1024;

/// Days that are remembered.
const DAYS_MAX: usize = 62;

/// What was spent on one purpose; in the file a list of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(into = "[u64; 3]")]
pub struct Spent {
    /// Tokens that models read.
    pub input: TokenCount,
    /// Tokens that they wrote.
    pub output: TokenCount,
    /// How often one was asked.
    pub n_calls: u64,
}

impl From<Spent> for [u64; 3] {
    fn from(own: Spent) -> Self {
        [own.input.0, own.output.0, own.n_calls]
    }
}

impl Spent {
    /// What was read and written together.
    pub fn total(self) -> TokenCount {
        self.input + self.output
    }
}

/// What was spent on one day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SpentDay {
    /// On notes.
    pub notes: Spent,
    /// On summaries.
    pub summaries: Spent,
    /// On dreams.
    pub dreams: Spent,
}

impl SpentDay {
    fn of(&mut self, purpose: Purpose) -> Option<&mut Spent> {
        match purpose {
            Purpose::Chat => None,
            Purpose::Flush => Some(&mut self.notes),
            Purpose::Summarise => Some(&mut self.summaries),
            Purpose::Consolidate => Some(&mut self.dreams),
        }
    }
}

/// The ledger could not be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LedgerError {
    /// It is of a newer version of this program.
    #[error("state/ledger.json has version {0}; nothing was written")]
    TooNew(u32),
    /// Another process holds it for longer than a write takes.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Wire {
    version: u32,
    days: BTreeMap<String, SpentDay>,
}

/// What was spent on a day.
pub fn spent_on(workspace: &Workspace, day: Day) -> Result<SpentDay, LedgerError> {
    let mut found = read(workspace)?;
    Ok(found.days.remove(&day.to_string()).unwrap_or_default())
}

/// Enters what one call cost; a call of the conversation itself is not entered.
pub fn note_spent(
    workspace: &Workspace,
    day: Day,
    purpose: Purpose,
    (input, output): (TokenCount, TokenCount),
) -> Result<(), LedgerError> {
    let _lock = workspace.lock_ledger()?;
    let mut found = read(workspace)?;
    let spent = found.days.entry(day.to_string()).or_default();
    let Some(own) = spent.of(purpose) else {
        return Ok(());
    };
    own.input += input;
    own.output += output;
    own.n_calls += 1;
    while found.days.len() > DAYS_MAX {
        found.days.pop_first();
    }
    found.version = VERSION;
    let bytes = serde_json::to_vec(&found).unwrap_or_default();
    Ok(replace(
        workspace.disk(),
        &workspace.layout().ledger(),
        &bytes,
    )?)
}

/// The record; an empty one where there is none, or where it is damaged: a day's count is all that is lost.
fn read(workspace: &Workspace) -> Result<Wire, LedgerError> {
    let path = workspace.layout().ledger();
    let Some(bytes) = read_some(workspace.disk(), &path, BYTES_MAX)? else {
        return Ok(Wire::default());
    };
    let wire: Wire = serde_json::from_slice(&bytes).unwrap_or_default();
    if wire.version > VERSION {
        return Err(LedgerError::TooNew(wire.version));
    }
    Ok(wire)
}

#[cfg(test)]
#[path = "ledger_tests.rs"]
mod tests;
