//! Events as programs and people read them.
//!
//! Pins the shape of the JSON.

use std::time::Duration;

use base::EntryId;
use compaction::{Rung, Strategy, Summarised};
use session::Epoch;

use super::*;

#[track_caller]
fn check(event: &Event, expected_json: &str, expected_text: Option<&str>) {
    assert_eq!(event_json(event).unwrap().to_string(), expected_json);
    let expected = expected_text.map(|text| EventText::Message(text.to_owned()));
    assert_eq!(event_in_words(event, Verbosity::Normal), expected);
}

#[test]
fn words_of_the_conversation_are_passed_on() {
    let delta = Event::ReplyDelta("Hel".into());
    check(&delta, r#"{"event":"delta","text":"Hel"}"#, None);
    let thinking = Event::ThinkingDelta("hm".into());
    check(&thinking, r#"{"event":"thinking","text":"hm"}"#, None);
    let message = Event::Message {
        index: 7,
        entry: EntryId::new("0198f3"),
        role: "user",
        context_tokens: TokenCount(12_345),
    };
    check(
        &message,
        r#"{"event":"message","index":7,"entryId":"0198f3","role":"user","contextTokens":12345}"#,
        None,
    );
}

#[test]
fn memory_and_tools_are_told() {
    let recalled = |n_passages, degraded, unreadable: &[&str]| Event::Recalled {
        n_passages,
        degraded,
        unreadable: unreadable.iter().map(|path| (*path).to_owned()).collect(),
    };
    check(
        &recalled(3, None, &[]),
        r#"{"event":"recall","passages":3,"degraded":null}"#,
        None,
    );
    check(
        &recalled(3, Some(Degraded::Stale), &[]),
        r#"{"event":"recall","passages":3,"degraded":"stale"}"#,
        Some(
            "The index is behind your notes and is being brought up to date; the newest may be \
             missing from this reply.",
        ),
    );
    check(
        &recalled(0, Some(Degraded::Unreadable), &["memory/a.md", "garden.md"]),
        r#"{"event":"recall","passages":0,"degraded":"unreadable","unreadable":["memory/a.md","garden.md"]}"#,
        Some(
            "In memory, memory/a.md, garden.md could not be read, or is a link out of the workspace, and is missing \
             here; `openclaw memory status` says which, and why.",
        ),
    );
    check(
        &Event::ToolStarted {
            name: "remember".into(),
            arguments: "{}".into(),
        },
        r#"{"event":"toolCall","name":"remember","arguments":"{}"}"#,
        Some("Using remember..."),
    );
    check(
        &Event::ToolEnded {
            name: "remember".into(),
            outcome: ToolOutcome::Failure,
            reason: Some("The log cannot be written.".into()),
        },
        r#"{"event":"toolResult","name":"remember","failed":true,"reason":"The log cannot be written."}"#,
        Some("remember failed: The log cannot be written."),
    );
}

#[test]
fn warnings_are_told_as_such() {
    let warning = Event::Warning("a timestamp goes back".into());
    let json = event_json(&warning).unwrap().to_string();
    assert_eq!(
        json,
        r#"{"event":"warning","message":"a timestamp goes back"}"#
    );
    let said = event_in_words(&warning, Verbosity::Normal);
    assert_eq!(
        said,
        Some(EventText::Warning("a timestamp goes back".into()))
    );
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

fn compaction_started() -> Event {
    Event::Window(WindowEvent::CompactStarted {
        current_context_tokens: TokenCount(176_001),
        threshold: TokenCount(176_000),
        summarised: Some(summarised()),
    })
}

#[test]
fn the_window_is_told() {
    let notes = |outcome| flush(FlushMode::SessionNotes, outcome);
    check(
        &notes(FlushOutcome::Written { n_notes: 1 }),
        r#"{"event":"flush","epoch":2,"outcome":"written","notes":1}"#,
        Some("Wrote 1 note to the daily log."),
    );
    check(
        &notes(FlushOutcome::Failed),
        r#"{"event":"flush","epoch":2,"outcome":"failed","notes":0}"#,
        Some("Notes could not be written; the next flush takes them."),
    );
    check(
        &notes(FlushOutcome::Nothing),
        r#"{"event":"flush","epoch":2,"outcome":"nothing","notes":0}"#,
        None,
    );
    check(
        &compaction_started(),
        r#"{"event":"compactionStarted","contextTokens":176001,"threshold":176000,"messages":18}"#,
        Some("Compacting conversation history..."),
    );
    check(
        &Event::Window(WindowEvent::CompactEnded {
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
        r#"{"event":"compaction","epoch":2,"outcome":"done","tokensBefore":200000,"tokensAfter":15000,"summaryLength":3210,"ratio":12.34,"retention":null,"rung":"offline","durationMs":12,"messages":18,"freedTokens":185000}"#,
        Some("Compaction complete: 200,000 \u{2192} 15,000 tokens (-92%)"),
    );
}

#[test]
fn a_compaction_that_changed_nothing_has_an_end_too() {
    check(
        &Event::Window(WindowEvent::CompactDropped {
            epoch: Epoch(2),
            reason: Dropped::Cancelled,
            context_tokens: TokenCount(180_000),
            duration: Duration::from_millis(12),
        }),
        r#"{"event":"compaction","epoch":2,"outcome":"cancelled","tokensBefore":180000,"tokensAfter":180000,"summaryLength":0,"ratio":null,"retention":null,"rung":null,"durationMs":12}"#,
        None,
    );
}

#[test]
fn who_asks_for_more_reads_of_notes_before_a_compaction_and_of_its_numbers() {
    let silent = flush(
        FlushMode::BeforeCompaction,
        FlushOutcome::Written { n_notes: 2 },
    );
    let started = compaction_started();
    let Event::Window(window) = &started else {
        panic!("it is about the window");
    };
    let said = |text: &str| Some(EventText::Message(text.to_owned()));
    assert_eq!(event_in_words(&silent, Verbosity::Normal), None);
    assert_eq!(
        event_in_words(&silent, Verbosity::Verbose),
        said("Wrote 2 notes to the daily log.")
    );
    assert_eq!(
        event_in_words(&started, Verbosity::Verbose),
        said(&window.to_string())
    );
}
