//! Tokens spent outside of the conversation, by day and purpose: `state/ledger.json`.
//!
//! Bounded in size; never enforces a budget: its readers do.

use std::collections::BTreeMap;

use base::disk::{read_some, replace};
use base::model::Purpose;
use base::{Day, TokenCount};
use serde::{Deserialize, Serialize};

use crate::FileError;
use crate::workspace::Workspace;

const VERSION: u32 = 1;

/// Size limit of the ledger in bytes.
const BYTES_MAX: u64 = 1024 * 1024;

/// Number of days kept.
const DAYS_MAX: usize = 62;

/// Tokens and calls of one purpose; serialized as `[input, output, n_calls]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(into = "[u64; 3]")]
pub struct Spent {
    /// Input tokens.
    pub input: TokenCount,
    /// Output tokens.
    pub output: TokenCount,
    /// Number of model calls.
    pub n_calls: u64,
}

impl From<Spent> for [u64; 3] {
    fn from(own: Spent) -> Self {
        [own.input.0, own.output.0, own.n_calls]
    }
}

impl Spent {
    /// Input and output tokens together.
    pub fn total(self) -> TokenCount {
        self.input + self.output
    }
}

/// Tokens spent on one day.
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

#[derive(Debug, Default, Serialize, Deserialize)]
struct Wire {
    version: u32,
    days: BTreeMap<String, SpentDay>,
}

/// Reads the tokens that were spent on a day.
pub fn spent_on(workspace: &Workspace, day: Day) -> Result<SpentDay, FileError> {
    let mut found = read(workspace)?;
    Ok(found.days.remove(&day.to_string()).unwrap_or_default())
}

/// Records the cost of one call; ignores calls of the conversation itself.
pub fn note_spent(
    workspace: &Workspace,
    day: Day,
    purpose: Purpose,
    (input, output): (TokenCount, TokenCount),
) -> Result<(), FileError> {
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

/// Reads the ledger. A missing or damaged one reads as empty: only counts are lost.
fn read(workspace: &Workspace) -> Result<Wire, FileError> {
    let path = workspace.layout().ledger();
    let Some(bytes) = read_some(workspace.disk(), &path, BYTES_MAX)? else {
        return Ok(Wire::default());
    };
    let wire: Wire = serde_json::from_slice(&bytes).unwrap_or_default();
    if wire.version > VERSION {
        return Err(FileError::TooNew(workspace.name_of(&path), wire.version));
    }
    Ok(wire)
}

#[cfg(test)]
#[path = "spending_tests.rs"]
mod tests;
