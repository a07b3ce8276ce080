//! Remember and correct: the owner's word changes `MEMORY.md` at once.
//!
//! Never changes a line that the owner wrote by hand.

use dreaming::{ChangeReason, Refusal};
use memory::candidates::Proposal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::error::OpError;
use super::operation::{Effect, OpContext, Operation};
use crate::asked::{AskedLine, AskedOutcome, remember_typed};
use crate::corrected::corrected;

/// A line for `MEMORY.md`, in the owner's words.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Remember {
    /// The line.
    #[schemars(length(min = 1))]
    pub text: String,
    /// Whether only to say what would change.
    #[serde(default)]
    pub dry_run: bool,
}

/// A line of `MEMORY.md`, or a note, that is wrong or has changed, and the line that replaces it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Correct {
    /// Words of the line to replace.
    #[schemars(length(min = 1))]
    pub line: String,
    /// The new line, in the owner's words.
    #[schemars(length(min = 1))]
    pub text: String,
    /// Whether the line was never true, so that the new one does not name it as the earlier value.
    #[serde(default)]
    pub never_true: bool,
    /// Whether only to say what would change.
    #[serde(default)]
    pub dry_run: bool,
}

/// What became of the line.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RememberReply {
    /// Whether it is in `MEMORY.md`, or waits.
    pub status: RememberStatus,
    /// The id of the candidate.
    pub id: String,
    /// The line as it was written.
    pub text: String,
    /// The line of `MEMORY.md` that it replaces, or would replace if the owner had not written that by hand.
    pub replaces: Option<String>,
    /// Whether nothing was changed.
    pub dry_run: bool,
}

/// Whether a line is in `MEMORY.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RememberStatus {
    /// It is in `MEMORY.md`.
    Taken,
    /// It waits for review, since the owner wrote the line that it would replace.
    Waiting,
}

impl Operation for Remember {
    type Reply = RememberReply;

    fn run(self, at: &OpContext<'_>) -> Result<RememberReply, OpError> {
        let line = AskedLine {
            text: self.text,
            section: None,
            replaces: None,
            reason: ChangeReason::Changed,
        };
        remember(&line, self.dry_run.into(), at)
    }
}

impl Operation for Correct {
    type Reply = RememberReply;

    fn run(self, at: &OpContext<'_>) -> Result<RememberReply, OpError> {
        let replaced = corrected(&at.home_for(self.dry_run.into()), &self.line)?;
        let line = AskedLine {
            text: self.text,
            section: None,
            replaces: Some(replaced),
            reason: if self.never_true {
                ChangeReason::Corrected
            } else {
                ChangeReason::Changed
            },
        };
        remember(&line, self.dry_run.into(), at)
    }
}

fn remember(
    line: &AskedLine,
    effect: Effect,
    at: &OpContext<'_>,
) -> Result<RememberReply, OpError> {
    let (status, candidate) = match remember_typed(&at.home_for(effect), line)? {
        AskedOutcome::Taken(own) => (RememberStatus::Taken, own),
        AskedOutcome::Beside(own) => (RememberStatus::Waiting, own),
        AskedOutcome::Refused(because) => return Err(OpError::NotRemembered(because)),
    };
    let replaces = match candidate.proposal {
        Proposal::Supersede { older, .. } | Proposal::Retire { older, .. } => Some(older),
        Proposal::Beside { other } => Some(other),
        Proposal::Add => None,
    };
    Ok(RememberReply {
        status,
        id: candidate.id.to_string(),
        text: candidate.finding,
        replaces,
        dry_run: effect == Effect::Reported,
    })
}

/// The next step after a refusal, if there is one.
pub(super) fn hint(because: &str) -> Option<&'static str> {
    [
        (
            Refusal::TooLong,
            "say it in fewer words, or note it with `openclaw memory add`",
        ),
        (
            Refusal::Question,
            "say it as a statement, or ask it with `openclaw memory search`",
        ),
        (
            Refusal::Redacted,
            "say it without the secret: no secret is kept in memory",
        ),
        (
            Refusal::Known,
            "`openclaw about` prints what MEMORY.md says",
        ),
    ]
    .into_iter()
    .find(|(refusal, _)| refusal.in_words() == because)
    .map(|(_, hint)| hint)
}
