//! About: what memory says about the owner, theme by theme.
//!
//! Writes nothing.

use base::redact;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::error::OpError;
use super::operation::{OpContext, Operation};
use super::past::{PastReply, PastScope, answered};
use crate::about::{KnownLine, known_about_owner};

/// Asks what memory says about the owner.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct About {
    /// What memory said at this time, such as `2026-04-20`, `2026-04-20 14:30` or `yesterday`; a day counts to its end.
    pub as_of: Option<String>,
}

/// What memory says about the owner.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AboutReply {
    /// The lines, theme by theme.
    pub lines: Vec<KnownLine>,
    /// The moment of the answer, if the past was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of: Option<PastReply>,
}

impl Operation for About {
    type Reply = AboutReply;

    fn run(self, at: &OpContext<'_>) -> Result<AboutReply, OpError> {
        let (lines, as_of) = answered(self.as_of.as_deref(), PastScope::Memory, at, visible_lines)?;
        Ok(AboutReply { lines, as_of })
    }
}

fn visible_lines(at: &OpContext<'_>) -> Result<Vec<KnownLine>, OpError> {
    let lines = known_about_owner(&at.home.workspace, at.home.timezone)?.into_iter();
    let lines = lines.filter(|line| !at.is_hidden(&line.place));
    let clean = |line: KnownLine| KnownLine {
        text: redact(&line.text).into_owned(),
        ..line
    };
    Ok(lines.map(clean).collect())
}
