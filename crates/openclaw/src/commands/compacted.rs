//! The end of a compaction, as chats and replays tell it.
//!
//! The shape of the JSON is a contract with scripts.

use std::time::Duration;

use base::TokenCount;
use compaction::{Dropped, Event};
use serde::Serialize;

use crate::output::{change, wire};

/// How a compaction ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Outcome {
    Done,
    /// No summary was worth having; the history is as it was.
    Ineffective,
    /// It was given up; the history is as it was.
    Cancelled,
}

/// The end of a compaction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Compacted {
    /// The epoch in which it began, and which it ended where it took effect.
    pub(crate) epoch: u64,
    pub(crate) outcome: Outcome,
    pub(crate) tokens_before: TokenCount,
    pub(crate) tokens_after: TokenCount,
    /// Characters of the summary; 0 where there is none.
    pub(crate) summary_length: u64,
    /// Tokens of what was replaced over tokens of the summary, in hundredths.
    #[serde(rename = "ratio", serialize_with = "wire::some_percent")]
    pub(crate) ratio_percent: Option<u64>,
    /// The part of what the audit looked for that the summary holds, in hundredths.
    #[serde(rename = "retention", serialize_with = "wire::some_percent")]
    pub(crate) retention_percent: Option<u64>,
    /// The rung of the ladder that made it.
    pub(crate) rung: Option<String>,
    /// How long it took, in milliseconds.
    pub(crate) duration_ms: u64,
    /// How many messages were summarised and by how many tokens the request became smaller; in a chat.
    #[serde(flatten)]
    pub(crate) summarised: Option<Freed>,
}

/// What a summary freed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Freed {
    pub(crate) messages: u64,
    /// Tokens that the request became smaller by.
    pub(crate) freed_tokens: TokenCount,
}

impl Compacted {
    /// The end that an event tells; `None` of any other event.
    pub(crate) fn of(event: &Event) -> Option<Self> {
        match event {
            Event::CompactEnded {
                epoch,
                rung,
                old_context_tokens,
                new_context_tokens,
                summary_length,
                ratio_percent,
                retention_percent,
                summarised,
                duration,
            } => Some(Self {
                epoch: epoch.0,
                outcome: Outcome::Done,
                tokens_before: *old_context_tokens,
                tokens_after: *new_context_tokens,
                summary_length: *summary_length as u64,
                ratio_percent: Some(*ratio_percent),
                retention_percent: *retention_percent,
                rung: Some(rung.as_str().to_owned()),
                duration_ms: milliseconds(*duration),
                summarised: summarised.map(|it| Freed {
                    messages: it.n_messages as u64,
                    freed_tokens: it.freed,
                }),
            }),
            Event::CompactDropped {
                epoch,
                reason,
                context_tokens,
                duration,
            } => Some(Self {
                epoch: epoch.0,
                outcome: match reason {
                    Dropped::Ineffective => Outcome::Ineffective,
                    Dropped::Cancelled => Outcome::Cancelled,
                },
                tokens_before: *context_tokens,
                tokens_after: *context_tokens,
                summary_length: 0,
                ratio_percent: None,
                retention_percent: None,
                rung: None,
                duration_ms: milliseconds(*duration),
                summarised: None,
            }),
            Event::FlushStarted { .. }
            | Event::FlushEnded { .. }
            | Event::CompactStarted { .. }
            | Event::ContextWarning { .. } => None,
        }
    }
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// What people read of it, without a line end.
pub(super) fn told(compacted: &Compacted) -> String {
    let Compacted {
        tokens_before,
        tokens_after,
        ..
    } = compacted;
    format!(
        "Compaction complete: {tokens_before} \u{2192} {tokens_after} tokens{}",
        change(*tokens_before, *tokens_after)
    )
}

/// How a flush ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum FlushOutcome {
    Written,
    Nothing,
    /// It failed; the next one takes its place.
    Failed,
}

impl From<compaction::FlushOutcome> for FlushOutcome {
    fn from(outcome: compaction::FlushOutcome) -> Self {
        match outcome {
            compaction::FlushOutcome::Written { .. } => Self::Written,
            compaction::FlushOutcome::Nothing => Self::Nothing,
            compaction::FlushOutcome::Failed => Self::Failed,
        }
    }
}

/// What people read of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Said {
    /// The outcome, for stdout.
    Data(String),
    /// What happens on the way, for stderr.
    Message(String),
    /// What the owner should know, for stderr even where silence was asked for.
    Warning(String),
}
