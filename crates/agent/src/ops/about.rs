//! About: what memory says about the owner, theme by theme.
//!
//! Writes nothing.

use base::redact;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::error::OpError;
use super::operation::{OpContext, Operation};
use crate::about::{KnownLine, known_about_owner};

/// Asks what memory says about the owner.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
pub struct About {}

/// What memory says about the owner.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct AboutReply {
    /// The lines, theme by theme.
    pub lines: Vec<KnownLine>,
}

impl Operation for About {
    type Reply = AboutReply;

    fn run(self, at: &OpContext<'_>) -> Result<AboutReply, OpError> {
        let lines = known_about_owner(&at.home.workspace, at.home.timezone)?.into_iter();
        let lines = lines.filter(|line| !at.is_hidden(&line.place));
        let clean = |line: KnownLine| KnownLine {
            text: redact(&line.text).into_owned(),
            ..line
        };
        Ok(AboutReply {
            lines: lines.map(clean).collect(),
        })
    }
}
