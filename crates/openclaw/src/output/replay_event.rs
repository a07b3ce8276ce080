//! What a replay tells while it runs, one event a line.
//!
//! The shape of the JSON is a contract with scripts.

use base::{EntryId, TokenCount};
use serde::Serialize;

use super::compacted::{Compacted, render as render_compacted};
use super::session_list::counted;
use super::wire;

/// Something that happened in a replay.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(
    tag = "event",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub(crate) enum ReplayEvent {
    /// A message is durable.
    Message {
        /// Its place in the recording, from 0.
        index: u64,
        /// Its entry.
        #[serde(serialize_with = "wire::text")]
        entry_id: EntryId,
        /// Whose it is.
        role: &'static str,
        /// Tokens of the request that would be sent after it.
        #[serde(serialize_with = "wire::tokens")]
        context_tokens: TokenCount,
    },
    /// A flush ended.
    Flush {
        /// The epoch in which it happened.
        epoch: u64,
        /// How it ended.
        outcome: FlushOutcome,
    },
    /// A compaction took effect.
    Compaction(Compacted),
    /// Something that the owner may want to know.
    Notice {
        /// What.
        message: String,
    },
    /// Something that the owner should know.
    Warning {
        /// What.
        message: String,
    },
    /// The recording is at its end.
    Done {
        /// Messages of this run.
        messages: u64,
        /// Compactions of this run.
        compactions: u64,
        /// Flushes of this run.
        flushes: u64,
        /// Tokens of the request that would be sent next.
        #[serde(serialize_with = "wire::tokens")]
        context_tokens: TokenCount,
    },
}

/// How a flush ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum FlushOutcome {
    /// Notes were written.
    Written,
    /// There was nothing to note.
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

/// What people read of an event; nothing of those that the progress bar tells.
pub(crate) fn render(event: &ReplayEvent) -> Option<Said> {
    match event {
        ReplayEvent::Message { .. } => None,
        ReplayEvent::Notice { message } => Some(Said::Message(format!("{message}\n"))),
        ReplayEvent::Warning { message } => Some(Said::Warning(message.clone())),
        ReplayEvent::Flush { outcome, .. } => match outcome {
            FlushOutcome::Written | FlushOutcome::Nothing => None,
            FlushOutcome::Failed => Some(Said::Message(
                "Notes could not be written; the next flush takes them.\n".to_owned(),
            )),
        },
        ReplayEvent::Compaction(compacted) => {
            Some(Said::Message(format!("{}\n", render_compacted(compacted))))
        }
        ReplayEvent::Done {
            messages,
            compactions,
            flushes,
            context_tokens,
        } => Some(Said::Data(format!(
            "{}, {}, {}; the context holds {}\n",
            counted(*messages, "message", "messages"),
            counted(*compactions, "compaction", "compactions"),
            counted(*flushes, "flush", "flushes"),
            counted(context_tokens.0, "token", "tokens"),
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::{Outcome, json};

    #[track_caller]
    fn check(event: &ReplayEvent, expected_json: &str, expected_text: Option<&Said>) {
        assert_eq!(json::line(event).unwrap().trim_end(), expected_json);
        assert_eq!(render(event).as_ref(), expected_text);
    }

    #[test]
    fn events_read_as_the_reference_says() {
        check(
            &ReplayEvent::Message {
                index: 7,
                entry_id: EntryId::new("0198f3"),
                role: "user",
                context_tokens: TokenCount(12_345),
            },
            r#"{"event":"message","index":7,"entryId":"0198f3","role":"user","contextTokens":12345}"#,
            None,
        );
        check(
            &ReplayEvent::Flush {
                epoch: 2,
                outcome: FlushOutcome::Nothing,
            },
            r#"{"event":"flush","epoch":2,"outcome":"nothing"}"#,
            None,
        );
        check(
            &ReplayEvent::Compaction(Compacted {
                epoch: 2,
                outcome: Outcome::Done,
                tokens_before: TokenCount(200_000),
                tokens_after: TokenCount(15_000),
                summary_length: 3_210,
                ratio_percent: Some(1_234),
                retention_percent: None,
                rung: Some("offline".into()),
                duration_ms: 12,
                summarised: None,
            }),
            r#"{"event":"compaction","epoch":2,"outcome":"done","tokensBefore":200000,"tokensAfter":15000,"summaryLength":3210,"ratio":12.34,"retention":null,"rung":"offline","durationMs":12}"#,
            Some(&Said::Message(
                "Compaction complete: 200,000 → 15,000 tokens (-92%)\n".into(),
            )),
        );
        check(
            &ReplayEvent::Flush {
                epoch: 0,
                outcome: FlushOutcome::Written,
            },
            r#"{"event":"flush","epoch":0,"outcome":"written"}"#,
            None,
        );
        check(
            &ReplayEvent::Flush {
                epoch: 0,
                outcome: FlushOutcome::Failed,
            },
            r#"{"event":"flush","epoch":0,"outcome":"failed"}"#,
            Some(&Said::Message(
                "Notes could not be written; the next flush takes them.\n".into(),
            )),
        );
        check(
            &ReplayEvent::Warning {
                message: "a timestamp goes back".into(),
            },
            r#"{"event":"warning","message":"a timestamp goes back"}"#,
            Some(&Said::Warning("a timestamp goes back".into())),
        );
    }

    #[test]
    fn the_end_is_told_in_the_right_numbers() {
        check(
            &ReplayEvent::Done {
                messages: 120,
                compactions: 3,
                flushes: 4,
                context_tokens: TokenCount(9_000),
            },
            r#"{"event":"done","messages":120,"compactions":3,"flushes":4,"contextTokens":9000}"#,
            Some(&Said::Data(
                "120 messages, 3 compactions, 4 flushes; the context holds 9,000 tokens\n".into(),
            )),
        );
        check(
            &ReplayEvent::Done {
                messages: 1,
                compactions: 0,
                flushes: 1,
                context_tokens: TokenCount(1),
            },
            r#"{"event":"done","messages":1,"compactions":0,"flushes":1,"contextTokens":1}"#,
            Some(&Said::Data(
                "1 message, 0 compactions, 1 flush; the context holds 1 token\n".into(),
            )),
        );
    }
}
