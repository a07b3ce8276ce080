//! Lists the candidates that wait for the owner, or all.
//!
//! Decides nothing.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::candidate::CandidateReply;
use crate::ops::{OpContext, OpError, Operation};

/// Asks for the candidates.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListCandidates {
    /// Whether to include decided ones, after those that wait.
    #[serde(default)]
    pub all: bool,
}

/// The candidates.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CandidatesReply {
    /// The candidates, those that wait first.
    pub candidates: Vec<CandidateReply>,
}

impl Operation for ListCandidates {
    type Reply = CandidatesReply;

    fn run(self, at: &OpContext<'_>) -> Result<CandidatesReply, OpError> {
        let desk = at.reading_desk()?;
        let state = desk.state();
        let decided = state.history.iter().rev().filter(|_| self.all);
        let visible = state.pending.iter().chain(decided);
        let visible = visible.filter(|own| at.viewer.sees_candidate(&at.home.workspace, own));
        Ok(CandidatesReply {
            candidates: visible.map(CandidateReply::from).collect(),
        })
    }
}
