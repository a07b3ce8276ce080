//! Shows a candidate with its evidence and the change that accepting it would make.
//!
//! Decides nothing.

use memory::candidates::Status;
use schemars::JsonSchema;
use serde::Deserialize;

use super::candidate::CandidateReply;
use crate::ops::{OpContext, OpError, Operation};

/// Asks for a candidate.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShowCandidate {
    /// The id of the candidate, or a prefix of it.
    pub id: String,
    /// Whether to show how the score is composed.
    #[serde(default)]
    pub explain: bool,
}

impl Operation for ShowCandidate {
    type Reply = CandidateReply;

    fn run(self, at: &OpContext<'_>) -> Result<CandidateReply, OpError> {
        let desk = at.reading_desk()?;
        let own = at.candidate(&desk, &self.id)?.clone();
        let mut reply = CandidateReply::from(&own);
        if own.status == Status::Pending {
            reply = reply.with_change(desk.memory(), &desk.preview(&own.id)?);
        }
        // Release the lock while transcripts are read.
        drop(desk);
        if self.explain {
            reply = reply.with_signals(&own);
        }
        let sources = at.sources(&own.evidence);
        Ok(reply.with_sources(sources.around_all(&own)))
    }
}
