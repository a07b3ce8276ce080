//! Events of a conversation as chats and replays print them.
//!
//! The JSON shape is a contract with scripts.

use agent::{DueReminder, Event, ReminderCue};
use base::ToolOutcome;
use cli::output::{Verbosity, change, milliseconds, without_empty};
use compaction::{Dropped, FlushMode, FlushOutcome, WindowEvent};
use search::Degraded;

use super::memory::{unread_in_words, unreadable_warning};
use crate::prelude::*;

/// An event as text, without a line end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum EventText {
    Message(String),
    /// Printed on stderr even in quiet mode.
    Warning(String),
    /// A reminder, printed on stderr even in quiet mode.
    Reminder(String),
}

/// An event as JSON; `None` if it is not reported to programs.
pub(crate) fn event_json(event: &Event) -> Option<Value> {
    Some(match event {
        Event::Message {
            index,
            entry,
            role,
            context_tokens,
        } => json!({
            "event": "message",
            "index": index,
            "entryId": entry.as_str(),
            "role": role,
            "contextTokens": context_tokens.0,
        }),
        Event::ReplyDelta(text) => json!({ "event": "delta", "text": text }),
        Event::ThinkingDelta(text) => json!({ "event": "thinking", "text": text }),
        Event::Recalled {
            n_passages,
            degraded,
            unreadable,
            unread,
        } => {
            let object = json!({
                "event": "recall",
                "passages": n_passages,
                "degraded": degraded.map(Degraded::as_str),
                "unreadable": unreadable,
                "unread": Some(unread).filter(|unread| !unread.is_nothing()),
            });
            without_empty(object, ["unreadable", "unread"])
        }
        Event::ToolStarted { name, arguments } => {
            json!({ "event": "toolCall", "name": name, "arguments": arguments })
        }
        Event::ToolEnded {
            name,
            outcome,
            reason,
        } => {
            let failed = *outcome == ToolOutcome::Failure;
            let object =
                json!({ "event": "toolResult", "name": name, "failed": failed, "reason": reason });
            without_empty(object, ["reason"])
        }
        Event::ReminderDue(due) => reminder_json(due),
        Event::Window(WindowEvent::ContextWarning { .. })
        | Event::WaitingForTurn { .. }
        | Event::FallbackModel { .. }
        | Event::AskedAgain { .. }
        | Event::MemoryChanged(_)
        | Event::Notice(_)
        | Event::Warning(_) => match event_in_words(event, Verbosity::Normal)? {
            EventText::Message(message) | EventText::Reminder(message) => {
                json!({ "event": "notice", "message": message })
            }
            EventText::Warning(message) => json!({ "event": "warning", "message": message }),
        },
        Event::Window(event) => return window_json(event),
    })
}

fn reminder_json(due: &DueReminder) -> Value {
    let (id, text) = (&due.id, &due.text);
    match &due.cue {
        ReminderCue::Time { when, next } => {
            let object = json!({
                "event": "reminder", "id": id, "due": when, "next": next, "text": text,
            });
            without_empty(object, ["next"])
        }
        ReminderCue::Subject(subject) => {
            json!({ "event": "reminder", "id": id, "about": subject, "text": text })
        }
    }
}

fn window_json(event: &WindowEvent) -> Option<Value> {
    Some(match event {
        WindowEvent::FlushStarted { .. } | WindowEvent::ContextWarning { .. } => return None,
        WindowEvent::FlushEnded { epoch, outcome, .. } => {
            let (outcome, notes) = match outcome {
                FlushOutcome::Written { n_notes } => ("written", *n_notes),
                FlushOutcome::Nothing => ("nothing", 0),
                FlushOutcome::Failed => ("failed", 0),
            };
            json!({ "event": "flush", "epoch": epoch.0, "outcome": outcome, "notes": notes })
        }
        WindowEvent::CompactStarted {
            current_context_tokens,
            threshold,
            summarised,
        } => json!({
            "event": "compactionStarted",
            "contextTokens": current_context_tokens.0,
            "threshold": threshold.0,
            "messages": summarised.map(|summarised| summarised.n_messages),
        }),
        WindowEvent::CompactEnded {
            epoch,
            rung,
            old_context_tokens,
            new_context_tokens,
            summary_length,
            ratio_percent,
            retention_percent,
            summarised,
            duration,
        } => {
            let object = json!({
                "event": "compaction",
                "epoch": epoch.0,
                "outcome": "done",
                "tokensBefore": old_context_tokens.0,
                "tokensAfter": new_context_tokens.0,
                "summaryLength": summary_length,
                "ratio": hundredths(*ratio_percent),
                "retention": retention_percent.map(hundredths),
                "rung": rung.as_str(),
                "durationMs": milliseconds(*duration),
                "messages": summarised.map(|it| it.n_messages),
                "freedTokens": summarised.map(|it| it.freed.0),
            });
            without_empty(object, ["messages", "freedTokens"])
        }
        WindowEvent::CompactDropped {
            epoch,
            reason,
            context_tokens,
            duration,
        } => json!({
            "event": "compaction",
            "epoch": epoch.0,
            "outcome": match reason {
                Dropped::Ineffective => "ineffective",
                Dropped::Cancelled => "cancelled",
            },
            "tokensBefore": context_tokens.0,
            "tokensAfter": context_tokens.0,
            "summaryLength": 0,
            "ratio": null,
            "retention": null,
            "rung": null,
            "durationMs": milliseconds(*duration),
        }),
    })
}

/// An event as text; `None` for the reply itself and for events that people do not see.
pub(crate) fn event_in_words(event: &Event, verbosity: Verbosity) -> Option<EventText> {
    Some(EventText::Message(match event {
        Event::Message { .. }
        | Event::ReplyDelta(_)
        | Event::ThinkingDelta(_)
        | Event::ToolEnded {
            outcome: ToolOutcome::Success,
            ..
        } => return None,
        Event::Recalled {
            degraded,
            unreadable,
            unread,
            ..
        } => {
            let degraded = (*degraded)?;
            if let Some(unread) = unread_in_words(unread) {
                format!(
                    "The index is out of date and being updated: {unread} not searched yet, so this reply may \
                     miss something."
                )
            } else if unreadable.is_empty() {
                degraded_recall(degraded).to_owned()
            } else {
                format!("Memory is incomplete: {}.", unreadable_warning(unreadable))
            }
        }
        Event::ToolStarted { name, .. } => format!("Using {name}..."),
        Event::ToolEnded { name, reason, .. } => {
            match reason.as_deref().filter(|reason| !reason.is_empty()) {
                Some(reason) => format!("{name} failed: {reason}"),
                None => format!("{name} failed."),
            }
        }
        Event::WaitingForTurn { session, pid } => {
            let who = pid.map_or("another process".to_owned(), |pid| format!("process {pid}"));
            format!("Waiting for {who}, which is using session {session}. Ctrl-C cancels.")
        }
        Event::ReminderDue(due) => return Some(EventText::Reminder(due.to_string())),
        Event::MemoryChanged(message) | Event::Notice(message) => message.clone(),
        Event::FallbackModel { model, reason } => {
            return Some(EventText::Warning(format!("{reason}; trying {model}")));
        }
        Event::AskedAgain { reason, wait } => {
            // Round up, so that a short wait is not reported as 0 s.
            let seconds = wait.as_millis().div_ceil(1_000).max(1);
            return Some(EventText::Warning(format!(
                "{reason}; retrying in {seconds} s"
            )));
        }
        Event::Warning(warning) => return Some(EventText::Warning(warning.clone())),
        Event::Window(event) => return window_in_words(event, verbosity),
    }))
}

fn window_in_words(event: &WindowEvent, verbosity: Verbosity) -> Option<EventText> {
    let is_verbose = verbosity == Verbosity::Verbose;
    Some(EventText::Message(match event {
        WindowEvent::FlushEnded { mode, outcome, .. } => match outcome {
            FlushOutcome::Written { n_notes }
                if is_verbose || *mode != FlushMode::BeforeCompaction =>
            {
                let notes = counted(*n_notes as u64, "note", "notes");
                format!("Wrote {notes} to the daily log.")
            }
            FlushOutcome::Written { .. } | FlushOutcome::Nothing => return None,
            FlushOutcome::Failed => "Could not write notes; the next flush retries.".to_owned(),
        },
        WindowEvent::CompactStarted { .. }
        | WindowEvent::CompactEnded { .. }
        | WindowEvent::CompactDropped { .. }
            if is_verbose =>
        {
            event.to_string()
        }
        WindowEvent::CompactStarted { .. } => "Compacting conversation history...".to_owned(),
        WindowEvent::CompactEnded {
            old_context_tokens: before,
            new_context_tokens: after,
            ..
        } => {
            let change = change(*before, *after);
            format!("Compaction complete: {before} \u{2192} {after} tokens{change}")
        }
        // A warning or notice has already given the reason.
        WindowEvent::FlushStarted { .. } | WindowEvent::CompactDropped { .. } => return None,
        WindowEvent::ContextWarning { .. } => return Some(EventText::Warning(event.to_string())),
    }))
}

/// Why recall may be incomplete.
fn degraded_recall(degraded: Degraded) -> &'static str {
    match degraded {
        Degraded::NotWritable => {
            "The index cannot be written, so this reply may miss recent notes and messages; \
             run `openclaw memory index` to see why."
        }
        Degraded::VectorsIncomplete | Degraded::EmbedderFailed => {
            "Memory was searched by words only; run `openclaw memory status` to see why."
        }
        Degraded::Stale
        | Degraded::BeingWritten
        | Degraded::Unreadable
        | Degraded::EmbedderMissing => {
            "The index is out of date and being updated, so this reply may miss recent notes and messages."
        }
    }
}

pub(crate) fn hundredths(percent: u64) -> f64 {
    f64::from(u32::try_from(percent).unwrap_or(u32::MAX)) / 100.0
}

#[cfg(test)]
#[path = "events_tests.rs"]
mod tests;
