//! The parts of a session that search can find.

use base::{Block, Timestamp, ToolCallId, ToolOutcome, ToolResult};
use session::{CopiedFrom, StoredMessage, Turn};

use super::*;
use crate::test_kit::{Home, Script, home, main};
use crate::waiting::begin_now;

fn at(minute: u32) -> Timestamp {
    format!("2026-03-02T22:{minute:02}:00Z").parse().unwrap()
}

fn source(home: &Home) -> SessionSource {
    let home = &home.runtime.home;
    SessionSource::new(home.sessions.clone(), home.timezone)
}

fn begin(home: &Home, name: &str) -> Turn {
    begin_now(&home.runtime, &name.parse().unwrap(), &mut |_| {}).unwrap()
}

/// The owner says it at a minute.
fn say(turn: &mut Turn, minute: u32, text: &str) -> EntryId {
    let message = StoredMessage::new(Message::user(text), Origin::Owner);
    turn.append_message(at(minute), message).unwrap()
}

fn read(source: &SessionSource, path: &str, from: Option<ResumePlace>) -> Vec<SourceMessage> {
    let mut found = Vec::new();
    let mut sink = |message| found.push(message);
    source.read(path, from, &mut sink).unwrap();
    found
}

fn texts(source: &SessionSource, path: &str) -> Vec<String> {
    let messages = read(source, path, None).into_iter();
    messages.map(|message| message.text).collect()
}

fn test_home() -> Home {
    home(std::sync::Arc::new(Script::new()))
}

#[test]
fn i12_session_messages_carry_line_speaker_day_and_origin() {
    let home = test_home();
    let mut turn = begin(&home, "main");
    say(&mut turn, 30, "one");
    turn.append_custom(at(31), crate::RECALL_TYPE, "[]".into())
        .unwrap();
    let named = Message::User {
        content: vec![Block::Text("two".into())],
        name: Some("Ann".into()),
    };
    // Eleven at night in UTC is the next day in Berlin.
    let later = "2026-03-02T23:00:00Z".parse().unwrap();
    let named = StoredMessage::new(named, Origin::Untrusted);
    turn.append_message(later, named).unwrap();
    let source = source(&home);
    let found = read(&source, "sessions/main.jsonl", None);
    let told = |it: &SourceMessage| {
        format!(
            "{} {}: {} by {}",
            it.place.line, it.speaker, it.text, it.origin
        )
    };
    let told: Vec<String> = found.iter().map(told).collect();
    assert_eq!(told, ["2 user: one by owner", "4 Ann: two by untrusted"]);
    let days: Vec<String> = found.iter().map(|it| it.day.unwrap().to_string()).collect();
    assert_eq!(days, ["2026-03-02", "2026-03-03"]);
    let rest = read(&source, "sessions/main.jsonl", Some(found[1].place));
    assert_eq!(rest, found[1..]);
}

#[test]
fn i8_session_source_omits_recalled_and_quoted_text() {
    let home = test_home();
    let mut turn = begin(&home, "main");
    let fenced = "<recalled source=\"MEMORY.md:1\">\nthe plan\n</recalled>";
    let result = Message::ToolResult(ToolResult {
        call_id: ToolCallId::new("c"),
        tool_name: "memory_search".into(),
        content: vec![Block::Text(fenced.into())],
        outcome: ToolOutcome::Success,
    });
    let quoted = Message::assistant("- the plan (MEMORY.md:1)");
    let said = Message::assistant(format!("So {fenced} it is."));
    for (message, origin) in [
        (result, Origin::Untrusted),
        (quoted, Origin::System),
        (said, Origin::Agent),
    ] {
        let message = StoredMessage::new(message, origin);
        turn.append_message(at(1), message).unwrap();
    }
    assert_eq!(texts(&source(&home), "sessions/main.jsonl"), ["So  it is."]);
}

#[test]
fn rewind_hides_abandoned_branch_and_changes_history() {
    let home = test_home();
    let mut turn = begin(&home, "main");
    let first = say(&mut turn, 1, "a");
    let source = source(&home);
    let stat = || source.documents(&|_| None).unwrap().remove(0);
    let before = stat();
    say(&mut turn, 2, "b");
    let grown = stat();
    assert_eq!(grown.history, before.history);
    assert_ne!(grown.stamp, before.stamp);
    assert_eq!(stat(), grown);
    turn.append_rewind(at(3), &first).unwrap();
    say(&mut turn, 4, "c");
    assert_ne!(stat().history, before.history);
    assert_eq!(texts(&source, "sessions/main.jsonl"), ["a", "c"]);
}

#[test]
fn forked_message_is_read_only_if_its_original_is_gone() {
    let home = test_home();
    let mut original = begin(&home, "main");
    let entry = say(&mut original, 1, "a");
    let mut fork = begin(&home, "fork");
    for session in [original.session_id().clone(), SessionId::new("gone")] {
        let copied_from = Some(CopiedFrom {
            session: session.clone(),
            entry: entry.clone(),
            first: None,
        });
        let text = format!("copy of {}", session == *original.session_id());
        let message = StoredMessage {
            copied_from,
            ..StoredMessage::new(Message::user(text), Origin::Owner)
        };
        fork.append_message(at(2), message).unwrap();
    }
    let source = source(&home);
    assert_eq!(texts(&source, "sessions/fork.jsonl"), ["copy of false"]);
    assert_eq!(texts(&source, "sessions/main.jsonl"), ["a"]);
}

#[test]
fn i16_path_outside_sessions_is_rejected() {
    let home = test_home();
    let source = source(&home);
    for path in ["sessions/../x.jsonl", "main.jsonl", "sessions/none.jsonl"] {
        assert!(source.read(path, None, &mut |_| {}).is_err(), "{path}");
    }
    assert_eq!(source.documents(&|_| None).unwrap(), []);
    assert_eq!(SessionSource::name_of("sessions/main.jsonl"), Some(main()));
}

#[test]
fn forgotten_entry_is_omitted_and_only_its_transcript_reindexed() {
    let home = test_home();
    let source = source(&home).hiding(Arc::clone(&home.runtime.home.workspace));
    let mut turn = begin(&home, "main");
    say(&mut turn, 30, "one");
    let entry = say(&mut turn, 31, "two");
    say(&mut begin(&home, "other"), 30, "three");
    let histories = || -> Vec<String> {
        let documents = source.documents(&|_| None).unwrap().into_iter();
        documents.map(|document| document.history).collect()
    };
    let before = histories();
    home.forget("main", entry, 3);
    assert_eq!(texts(&source, "sessions/main.jsonl"), ["one"]);
    assert_eq!(texts(&source, "sessions/other.jsonl"), ["three"]);
    let after = histories();
    let is_same: Vec<bool> = before.iter().zip(&after).map(|(a, b)| a == b).collect();
    assert_eq!(is_same, [false, true]);
}

#[test]
fn transcript_with_recorded_stamp_is_not_reopened() {
    let home = test_home();
    let mut turn = begin(&home, "main");
    say(&mut turn, 1, "a");
    let seen = source(&home).documents(&|_| None).unwrap().remove(0);
    // What the file does not say shows that it was not asked.
    let recorded = seen.stamp.replace("\"rewindCount\":0", "\"rewindCount\":7");
    assert_ne!(recorded, seen.stamp);
    let again = |stamp: &str| {
        let stamp = |path: &str| (path == "sessions/main.jsonl").then_some(stamp);
        source(&home).documents(&stamp).unwrap().remove(0)
    };
    assert_eq!(again(&seen.stamp), seen);
    assert_eq!(again(&recorded).stamp, recorded);
    assert_eq!(again("another").stamp, seen.stamp);
    say(&mut turn, 2, "b");
    assert_eq!(again(&recorded).history, seen.history);
}
