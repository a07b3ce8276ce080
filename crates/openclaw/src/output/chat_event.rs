//! What a chat tells while it goes on, one event a line.
//!
//! The shape of the JSON is a contract with scripts.

use base::TokenCount;
use serde::Serialize;

use super::compacted::{Compacted, render as render_compacted};
use super::memory_search::unreadable_warning;
use super::replay_event::{FlushOutcome, Said};
use super::session_list::counted;
use super::wire;

/// Something that happened in a chat.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(
    tag = "event",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub(crate) enum ChatEvent {
    /// A piece of the reply.
    Delta {
        /// What it says.
        text: String,
    },
    /// A piece of what the model thinks before it answers.
    Thinking {
        /// What it says.
        text: String,
    },
    /// Memory holds something about the message.
    Recall {
        /// How many passages the model is shown.
        passages: u64,
        /// Why something may be missing.
        degraded: Option<&'static str>,
        /// What cannot be read.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        unreadable: Vec<String>,
    },
    /// The index was brought up to date while nobody asked.
    Indexed {
        /// Notes and sessions that were read.
        changed: u64,
        /// Notes and sessions that are there no more.
        gone: u64,
        /// What cannot be read.
        unreadable: Vec<String>,
    },
    /// The model calls a tool.
    ToolCall {
        /// The tool.
        name: String,
        /// JSON text as the model wrote it.
        arguments: String,
    },
    /// A tool has answered.
    ToolResult {
        /// The tool.
        name: String,
        /// Whether it did not do what was asked.
        failed: bool,
        /// Why, where it did not.
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// A flush ended.
    Flush {
        /// The epoch in which it happened.
        epoch: u64,
        /// How it ended.
        outcome: FlushOutcome,
        /// How many notes it wrote.
        notes: u64,
    },
    /// A compaction began.
    CompactionStarted {
        /// Tokens of the request that would have been sent.
        #[serde(serialize_with = "wire::tokens")]
        context_tokens: TokenCount,
        /// The size from which on a request calls for it.
        #[serde(serialize_with = "wire::tokens")]
        threshold: TokenCount,
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
    /// The reply, whole; the last event of a message.
    Reply {
        /// What it says.
        text: String,
        /// Why it ended: `stop`, `length`, `toolUse`, `error` or `aborted`.
        stop_reason: &'static str,
        /// Who answered.
        model: String,
        /// Whether that is the engine that needs no network.
        offline: bool,
    },
}

/// What people read of an event beside the words of the reply.
pub(crate) fn render(event: &ChatEvent) -> Option<Said> {
    let message = |text: String| Some(Said::Message(text));
    match event {
        ChatEvent::Delta { .. }
        | ChatEvent::Thinking { .. }
        | ChatEvent::Reply { .. }
        | ChatEvent::Indexed { .. }
        | ChatEvent::ToolResult { failed: false, .. }
        | ChatEvent::Recall { degraded: None, .. }
        | ChatEvent::Flush {
            outcome: FlushOutcome::Nothing,
            ..
        } => None,
        ChatEvent::Recall { unreadable, .. } if !unreadable.is_empty() => {
            message(format!("In memory, {}.", unreadable_warning(unreadable)))
        }
        ChatEvent::Recall {
            degraded: Some("not-writable"),
            ..
        } => message(
            "The index cannot be written, and the newest may be missing from this reply; \
             `openclaw memory index` says why."
                .to_owned(),
        ),
        ChatEvent::Recall {
            degraded: Some("vectors-incomplete" | "embedder-failed"),
            ..
        } => message(
            "Memory was searched by words alone; `openclaw memory status` says why.".to_owned(),
        ),
        ChatEvent::Recall {
            degraded: Some(_), ..
        } => message(
            "The index is behind your notes and is being brought up to date; the newest may be missing \
             from this reply."
                .to_owned(),
        ),
        ChatEvent::ToolCall { name, .. } => message(format!("Using {name}...")),
        ChatEvent::ToolResult {
            name,
            failed: true,
            reason,
        } => message(match reason.as_deref().filter(|reason| !reason.is_empty()) {
            Some(reason) => format!("{name} failed: {reason}"),
            None => format!("{name} failed."),
        }),
        ChatEvent::Flush {
            outcome: FlushOutcome::Written,
            notes,
            ..
        } => message(format!(
            "Wrote {} into the daily log.",
            counted(*notes, "note", "notes")
        )),
        ChatEvent::Flush {
            outcome: FlushOutcome::Failed,
            ..
        } => message("Notes could not be written; the next flush takes them.".to_owned()),
        ChatEvent::CompactionStarted { .. } => {
            message("Compacting conversation history...".to_owned())
        }
        ChatEvent::Compaction(compacted) => message(render_compacted(compacted)),
        ChatEvent::Notice { message: notice } => message(notice.clone()),
        ChatEvent::Warning { message } => Some(Said::Warning(message.clone())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::json;

    #[track_caller]
    fn check(event: &ChatEvent, expected_json: &str, expected_text: Option<&str>) {
        assert_eq!(json::line(event).unwrap().trim_end(), expected_json);
        let expected = expected_text.map(|text| Said::Message(text.to_owned()));
        assert_eq!(render(event), expected);
    }

    #[test]
    fn words_of_the_conversation_are_passed_on() {
        check(
            &ChatEvent::Delta { text: "Hel".into() },
            r#"{"event":"delta","text":"Hel"}"#,
            None,
        );
        check(
            &ChatEvent::Thinking { text: "hm".into() },
            r#"{"event":"thinking","text":"hm"}"#,
            None,
        );
        check(
            &ChatEvent::Reply {
                text: "Hello".into(),
                stop_reason: "stop",
                model: "offline".into(),
                offline: true,
            },
            r#"{"event":"reply","text":"Hello","stopReason":"stop","model":"offline","offline":true}"#,
            None,
        );
    }

    #[test]
    fn memory_and_tools_are_told() {
        check(
            &ChatEvent::Recall {
                passages: 3,
                degraded: None,
                unreadable: Vec::new(),
            },
            r#"{"event":"recall","passages":3,"degraded":null}"#,
            None,
        );
        check(
            &ChatEvent::Recall {
                passages: 3,
                degraded: Some("stale"),
                unreadable: Vec::new(),
            },
            r#"{"event":"recall","passages":3,"degraded":"stale"}"#,
            Some(
                "The index is behind your notes and is being brought up to date; the newest may be \
                 missing from this reply.",
            ),
        );
        check(
            &ChatEvent::Recall {
                passages: 0,
                degraded: Some("unreadable"),
                unreadable: vec!["memory/a.md".into(), "garden.md".into()],
            },
            r#"{"event":"recall","passages":0,"degraded":"unreadable","unreadable":["memory/a.md","garden.md"]}"#,
            Some(
                "In memory, what stands in memory/a.md, garden.md is missing, for it cannot be read, or is a link that \
                 leads out of the workspace; `openclaw memory status` tells which, and why.",
            ),
        );
        check(
            &ChatEvent::ToolCall {
                name: "remember".into(),
                arguments: "{}".into(),
            },
            r#"{"event":"toolCall","name":"remember","arguments":"{}"}"#,
            Some("Using remember..."),
        );
        check(
            &ChatEvent::ToolResult {
                name: "remember".into(),
                failed: true,
                reason: Some("The log cannot be written.".into()),
            },
            r#"{"event":"toolResult","name":"remember","failed":true,"reason":"The log cannot be written."}"#,
            Some("remember failed: The log cannot be written."),
        );
    }

    #[test]
    fn the_window_is_told() {
        let flush = |outcome, notes| ChatEvent::Flush {
            epoch: 2,
            outcome,
            notes,
        };
        check(
            &flush(FlushOutcome::Written, 1),
            r#"{"event":"flush","epoch":2,"outcome":"written","notes":1}"#,
            Some("Wrote 1 note into the daily log."),
        );
        check(
            &flush(FlushOutcome::Failed, 0),
            r#"{"event":"flush","epoch":2,"outcome":"failed","notes":0}"#,
            Some("Notes could not be written; the next flush takes them."),
        );
        check(
            &flush(FlushOutcome::Nothing, 0),
            r#"{"event":"flush","epoch":2,"outcome":"nothing","notes":0}"#,
            None,
        );
        check(
            &ChatEvent::CompactionStarted {
                context_tokens: TokenCount(176_001),
                threshold: TokenCount(176_000),
            },
            r#"{"event":"compactionStarted","contextTokens":176001,"threshold":176000}"#,
            Some("Compacting conversation history..."),
        );
        check(
            &ChatEvent::Compaction(Compacted {
                epoch: 2,
                tokens_before: TokenCount(200_000),
                tokens_after: TokenCount(15_000),
                ratio_percent: Some(1_234),
                retention_percent: None,
                rung: "model".into(),
                duration_ms: 12,
            }),
            r#"{"event":"compaction","epoch":2,"tokensBefore":200000,"tokensAfter":15000,"ratio":12.34,"retention":null,"rung":"model","durationMs":12}"#,
            Some("Compaction complete: 200,000 \u{2192} 15,000 tokens (-92%)"),
        );
    }
}
