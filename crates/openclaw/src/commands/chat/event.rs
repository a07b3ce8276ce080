//! What a chat tells while it goes on, one event a line.
//!
//! The shape of the JSON is a contract with scripts.

use base::TokenCount;
use serde::Serialize;

use crate::commands::compacted::{Compacted, FlushOutcome, Outcome, Said, told};
use crate::commands::memory::unreadable_warning;
use crate::output::{Verbosity, counted};

/// Something that happened in a chat.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(
    tag = "event",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub(super) enum ChatEvent {
    Delta {
        text: String,
    },
    /// A piece of what the model thinks before it answers.
    Thinking {
        text: String,
    },
    Recall {
        /// How many passages the model is shown.
        passages: u64,
        degraded: Option<&'static str>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        unreadable: Vec<String>,
    },
    /// The index was brought up to date while nobody asked.
    Indexed {
        changed: u64,
        /// Notes and sessions that are there no more.
        gone: u64,
        unreadable: Vec<String>,
    },
    ToolCall {
        name: String,
        /// JSON text as the model wrote it.
        arguments: String,
    },
    ToolResult {
        name: String,
        /// Whether it did not do what was asked.
        failed: bool,
        /// Why, where it did not.
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    Flush {
        epoch: u64,
        outcome: FlushOutcome,
        notes: u64,
        /// Whether people are told of it only where they ask for more: it came before a compaction.
        #[serde(skip)]
        is_silent: bool,
    },
    CompactionStarted {
        /// Tokens of the request that would have been sent.
        context_tokens: TokenCount,
        /// The size from which on a request calls for it.
        threshold: TokenCount,
        /// How many messages are to be summarised.
        messages: Option<u64>,
        /// What people read of it who ask for more.
        #[serde(skip)]
        line: String,
    },
    /// A compaction ended: each that began does so once.
    Compaction {
        #[serde(flatten)]
        compacted: Compacted,
        /// What people read of it who ask for more.
        #[serde(skip)]
        line: String,
    },
    /// Something that the owner may want to know.
    Notice {
        message: String,
    },
    Warning {
        message: String,
    },
    /// The reply, whole; the last event of a message.
    Reply {
        text: String,
        /// Why it ended: `stop`, `length`, `toolUse`, `error` or `aborted`.
        stop_reason: &'static str,
        model: String,
        /// Whether that is the engine that needs no network.
        offline: bool,
    },
}

/// What people read of an event beside the words of the reply.
pub(super) fn render(event: &ChatEvent, verbosity: Verbosity) -> Option<Said> {
    let message = |text: String| Some(Said::Message(text));
    let is_verbose = verbosity == Verbosity::Verbose;
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
            degraded: Some(reason),
            ..
        } => message(degraded_recall(reason).to_owned()),
        ChatEvent::ToolCall { name, .. } => message(format!("Using {name}...")),
        ChatEvent::ToolResult {
            name,
            failed: true,
            reason,
        } => message(
            match reason.as_deref().filter(|reason| !reason.is_empty()) {
                Some(reason) => format!("{name} failed: {reason}"),
                None => format!("{name} failed."),
            },
        ),
        ChatEvent::Flush {
            outcome: FlushOutcome::Written,
            is_silent: true,
            ..
        } if !is_verbose => None,
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
        ChatEvent::CompactionStarted { line, .. } | ChatEvent::Compaction { line, .. }
            if is_verbose =>
        {
            message(line.clone())
        }
        ChatEvent::CompactionStarted { .. } => {
            message("Compacting conversation history...".to_owned())
        }
        // A warning or a notice has said why.
        ChatEvent::Compaction { compacted, .. } if compacted.outcome != Outcome::Done => None,
        ChatEvent::Compaction { compacted, .. } => message(told(compacted)),
        ChatEvent::Notice { message: notice } => message(notice.clone()),
        ChatEvent::Warning { message } => Some(Said::Warning(message.clone())),
    }
}

/// What recall could not do, by the reason of the search.
fn degraded_recall(reason: &str) -> &'static str {
    match reason {
        "not-writable" => {
            "The index cannot be written, and the newest may be missing from this reply; \
             `openclaw memory index` says why."
        }
        "vectors-incomplete" | "embedder-failed" => {
            "Memory was searched by words alone; `openclaw memory status` says why."
        }
        _ => {
            "The index is behind your notes and is being brought up to date; the newest may be missing \
             from this reply."
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::compacted::Freed;

    #[track_caller]
    fn check(event: &ChatEvent, expected_json: &str, expected_text: Option<&str>) {
        assert_eq!(serde_json::to_string(event).unwrap(), expected_json);
        let expected = expected_text.map(|text| Said::Message(text.to_owned()));
        assert_eq!(render(event, Verbosity::Normal), expected);
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
            is_silent: false,
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
                messages: Some(18),
                line: "In numbers.".into(),
            },
            r#"{"event":"compactionStarted","contextTokens":176001,"threshold":176000,"messages":18}"#,
            Some("Compacting conversation history..."),
        );
        let compacted = Compacted {
            epoch: 2,
            outcome: Outcome::Done,
            tokens_before: TokenCount(200_000),
            tokens_after: TokenCount(15_000),
            summary_length: 3_210,
            ratio_percent: Some(1_234),
            retention_percent: None,
            rung: Some("model".into()),
            duration_ms: 12,
            summarised: Some(Freed {
                messages: 18,
                freed_tokens: TokenCount(185_000),
            }),
        };
        check(
            &ChatEvent::Compaction {
                compacted,
                line: "In numbers.".into(),
            },
            r#"{"event":"compaction","epoch":2,"outcome":"done","tokensBefore":200000,"tokensAfter":15000,"summaryLength":3210,"ratio":12.34,"retention":null,"rung":"model","durationMs":12,"messages":18,"freedTokens":185000}"#,
            Some("Compaction complete: 200,000 \u{2192} 15,000 tokens (-92%)"),
        );
    }

    #[test]
    fn a_compaction_that_changed_nothing_has_an_end_too() {
        let dropped = compaction::Event::CompactDropped {
            epoch: session::Epoch(2),
            reason: compaction::Dropped::Cancelled,
            context_tokens: TokenCount(180_000),
            duration: std::time::Duration::from_millis(12),
        };
        check(
            &ChatEvent::Compaction {
                compacted: Compacted::of(&dropped).unwrap(),
                line: dropped.to_string(),
            },
            r#"{"event":"compaction","epoch":2,"outcome":"cancelled","tokensBefore":180000,"tokensAfter":180000,"summaryLength":0,"ratio":null,"retention":null,"rung":null,"durationMs":12}"#,
            None,
        );
    }

    #[test]
    fn who_asks_for_more_reads_of_notes_before_a_compaction_and_of_its_numbers() {
        let flush = ChatEvent::Flush {
            epoch: 2,
            outcome: FlushOutcome::Written,
            notes: 2,
            is_silent: true,
        };
        let started = ChatEvent::CompactionStarted {
            context_tokens: TokenCount(176_001),
            threshold: TokenCount(176_000),
            messages: Some(18),
            line: "In numbers.".into(),
        };
        let said = |text: &str| Some(Said::Message(text.to_owned()));
        assert_eq!(render(&flush, Verbosity::Normal), None);
        assert_eq!(
            render(&flush, Verbosity::Verbose),
            said("Wrote 2 notes into the daily log.")
        );
        assert_eq!(render(&started, Verbosity::Verbose), said("In numbers."));
    }
}
