//! What dreams and decisions changed, newest first.
//!
//! Changes nothing by itself.

use base::Timestamp;
use memory::candidates::{DreamDetail, Outcome};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ops::operation::instant;
use crate::ops::{OpContext, OpError, Operation};

const LIMIT_DEFAULT: usize = 20;

/// Asks for the log of dreams.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DreamLog {
    /// Maximum number of lines; 20 by default.
    pub limit: Option<usize>,
    /// Whether to show the outcome of each note and proposal, too.
    #[serde(default)]
    pub all: bool,
}

/// The log of dreams.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DreamLogReply {
    /// The lines, newest first.
    pub lines: Vec<DreamLogEntry>,
}

/// What one dream or one decision did.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DreamLogEntry {
    /// When it happened.
    #[serde(serialize_with = "instant")]
    #[schemars(with = "String")]
    pub at: Timestamp,
    /// What happened.
    pub text: String,
    /// The outcome of each note and proposal, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<Vec<DreamLogDetail>>,
}

/// The outcome of a note or a proposal.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DreamLogDetail {
    /// `promoted`, `staged`, `refused`, `postponed` or `notProposed`.
    #[schemars(with = "String")]
    pub outcome: Outcome,
    /// The note or proposal.
    pub text: String,
    /// The reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
}

impl From<DreamDetail> for DreamLogDetail {
    fn from(own: DreamDetail) -> Self {
        Self {
            outcome: own.outcome,
            text: own.text,
            because: own.because,
        }
    }
}

impl Operation for DreamLog {
    type Reply = DreamLogReply;

    fn run(self, at: &OpContext<'_>) -> Result<DreamLogReply, OpError> {
        let desk = at.reading_desk()?;
        let limit = self.limit.unwrap_or(LIMIT_DEFAULT);
        let lines = desk.state().log.iter().rev().take(limit).cloned();
        let lines = lines.map(|line| DreamLogEntry {
            at: line.at,
            text: desk.state().in_words(&line.text),
            details: self
                .all
                .then(|| line.details.into_iter().map(DreamLogDetail::from).collect()),
        });
        Ok(DreamLogReply {
            lines: lines.collect(),
        })
    }
}
