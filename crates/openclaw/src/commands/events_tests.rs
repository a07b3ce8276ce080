//! Events as programs and people read them.
//!
//! Pins the shape of the JSON.

use std::time::Duration;

use base::EntryId;
use compaction::{Rung, Strategy, Summarised};
use insta::assert_snapshot;
use search::Unread;
use session::Epoch;

use super::*;

/// Each event as programs read it, as people read it, and as people read it who ask for details.
fn told(events: &[Event]) -> String {
    let tell = |event: &Event| {
        let json = event_json(event).unwrap();
        let [normal, verbose] =
            [Verbosity::Normal, Verbosity::Verbose].map(|it| event_in_words(event, it));
        format!("{json}\n  {normal:?}\n  {verbose:?}\n")
    };
    events.iter().map(tell).collect()
}

#[test]
fn conversation_events_render_as_json_and_words() {
    assert_snapshot!(told(&[
        Event::ReplyDelta("Hel".into()),
        Event::ThinkingDelta("hm".into()),
        Event::Message {
            index: 7,
            entry: EntryId::new("0198f3"),
            role: "user",
            context_tokens: TokenCount(12_345),
        },
        Event::ReminderDue(agent::DueReminder {
            id: "3f2a".into(),
            cue: agent::ReminderCue::Time {
                when: "2026-12-04 09:00".into(),
                next: None,
            },
            text: "call the plumber".into(),
        }),
        Event::ReminderDue(agent::DueReminder {
            id: "4e5b".into(),
            cue: agent::ReminderCue::Subject("the bike".into()),
            text: "ask about the brake".into(),
        }),
        Event::Warning("a timestamp goes back".into()),
    ]));
}

#[test]
fn memory_and_tool_events_render_as_json_and_words() {
    let recalled = |n_passages, degraded, unreadable: &[&str]| Event::Recalled {
        n_passages,
        degraded,
        unreadable: unreadable.iter().map(|path| (*path).to_owned()).collect(),
        unread: Unread::default(),
    };
    let behind = Event::Recalled {
        n_passages: 1,
        degraded: Some(Degraded::Stale),
        unreadable: Vec::new(),
        unread: Unread {
            n_files: 1,
            n_bytes: 998_123_456,
        },
    };
    assert_snapshot!(told(&[
        recalled(3, None, &[]),
        recalled(3, Some(Degraded::Stale), &[]),
        behind,
        recalled(0, Some(Degraded::Unreadable), &["memory/a.md", "garden.md"]),
        Event::ToolStarted {
            name: "remember".into(),
            arguments: "{}".into(),
        },
        Event::ToolEnded {
            name: "remember".into(),
            outcome: ToolOutcome::Failure,
            reason: Some("The log cannot be written.".into()),
        },
    ]));
}

fn flush(mode: FlushMode, outcome: FlushOutcome) -> Event {
    Event::Window(WindowEvent::FlushEnded {
        epoch: Epoch(2),
        mode,
        outcome,
    })
}

fn summarised() -> Summarised {
    Summarised {
        strategy: Strategy::default(),
        n_messages: 18,
        before: TokenCount(200_000),
        summary: TokenCount::ZERO,
        freed: TokenCount(185_000),
    }
}

#[test]
fn window_events_render_as_json_and_words() {
    let notes = |outcome| flush(FlushMode::SessionNotes, outcome);
    assert_snapshot!(told(&[
        notes(FlushOutcome::Written { n_notes: 1 }),
        notes(FlushOutcome::Failed),
        notes(FlushOutcome::Nothing),
        Event::Window(WindowEvent::CompactEnded {
            epoch: Epoch(2),
            rung: Rung::Offline,
            old_context_tokens: TokenCount(200_000),
            new_context_tokens: TokenCount(15_000),
            summary_length: 3_210,
            ratio_percent: 1_234,
            retention_percent: None,
            summarised: Some(summarised()),
            duration: Duration::from_millis(12),
        }),
        Event::Window(WindowEvent::CompactDropped {
            epoch: Epoch(2),
            reason: Dropped::Cancelled,
            context_tokens: TokenCount(180_000),
            duration: Duration::from_millis(12),
        }),
    ]));
}

#[test]
fn verbose_events_add_notes_written_before_compaction() {
    assert_snapshot!(told(&[
        flush(
            FlushMode::BeforeCompaction,
            FlushOutcome::Written { n_notes: 2 }
        ),
        Event::Window(WindowEvent::CompactStarted {
            current_context_tokens: TokenCount(176_001),
            threshold: TokenCount(176_000),
            summarised: Some(summarised()),
        }),
    ]));
}
