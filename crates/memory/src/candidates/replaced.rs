//! The values of `MEMORY.md` that newer ones took the place of.
//!
//! Reads the decided candidates, which are bounded; changes nothing.

use base::Day;

use super::error::MemoryTxnError;
use super::evidence::Evidence;
use super::forgetting::visible_part;
use super::model::{Candidate, Proposal, Status};
use super::pending::PendingRecords;
use crate::curated::current_value;
use crate::tombstone::load_tombstones;
use crate::workspace::Workspace;

/// A value that a newer one took the place of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplacedValue {
    /// The text of the line before.
    pub older: String,
    /// The text of the line since.
    pub newer: String,
    /// The day on which the newer one was said.
    pub day: Day,
    /// What the older one rests on, if that is still known.
    pub evidence: Vec<Evidence>,
}

/// The replaced values of a workspace, oldest first.
///
/// # Errors
///
/// [`MemoryTxnError`] if the candidates cannot be read.
pub fn replaced_values(workspace: &Workspace) -> Result<Vec<ReplacedValue>, MemoryTxnError> {
    let state = PendingRecords { workspace }.state()?;
    let history = visible_part(&state, &load_tombstones(workspace)?).history;
    let evidence_of = |id: &str| {
        let mut known = history.iter();
        let found = known.find(|own| own.id.as_str() == id);
        found.map(|own| own.evidence.clone()).unwrap_or_default()
    };
    let replaced = |own: &Candidate| match &own.proposal {
        Proposal::Supersede { line, older, .. } => Some(ReplacedValue {
            older: current_value(older).to_owned(),
            newer: own.finding.clone(),
            day: own.day,
            evidence: evidence_of(line),
        }),
        Proposal::Add | Proposal::Retire { .. } | Proposal::Beside { .. } => None,
    };
    let in_force = |own: &&Candidate| matches!(own.status, Status::Promoted | Status::Accepted);
    Ok(history
        .iter()
        .filter(in_force)
        .filter_map(replaced)
        .collect())
}
