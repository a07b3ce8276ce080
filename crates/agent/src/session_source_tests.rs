//! What of a session can be found.

use base::{Block, Timestamp, ToolCallId, ToolOutcome, ToolResult};
use session::{CopiedFrom, ResumeLimit, StoredMessage, Turn};

use super::*;
use crate::test_kit::{Home, Script, home, main};
use crate::turn::stored;

fn at(minute: u32) -> Timestamp {
    format!("2026-03-02T22:{minute:02}:00Z").parse().unwrap()
}

fn source(home: &Home) -> SessionSource {
    SessionSource::new(
        home.runtime.home.sessions.clone(),
        home.runtime.home.timezone,
    )
}

fn begin(home: &Home, name: &str) -> Turn {
    let limit = ResumeLimit {
        tokens: base::TokenCount(10_000),
    };
    home.runtime
        .home
        .sessions
        .begin_turn(&name.parse().unwrap(), limit)
        .unwrap()
}

fn read(source: &SessionSource, path: &str, from: Option<ResumePlace>) -> Vec<SourceMessage> {
    let mut found = Vec::new();
    source
        .read(path, from, &mut |message| found.push(message))
        .unwrap();
    found
}

fn texts(source: &SessionSource, path: &str) -> Vec<String> {
    read(source, path, None)
        .into_iter()
        .map(|message| message.text)
        .collect()
}

fn test_home() -> Home {
    home(std::sync::Arc::new(Script::new()))
}

#[test]
fn i12_messages_are_given_with_line_speaker_day_and_origin() {
    let home = test_home();
    let mut turn = begin(&home, "main");
    turn.append_message(at(30), stored(Message::user("one"), Origin::Owner))
        .unwrap();
    turn.append_custom(at(31), crate::RECALL_TYPE, "[]".into())
        .unwrap();
    let named = Message::User {
        content: vec![Block::Text("two".into())],
        name: Some("Ann".into()),
    };
    // Eleven at night in UTC is the next day in Berlin.
    let later = "2026-03-02T23:00:00Z".parse().unwrap();
    turn.append_message(later, stored(named, Origin::Untrusted))
        .unwrap();
    let source = source(&home);
    let found = read(&source, "sessions/main.jsonl", None);
    let told: Vec<_> = found
        .iter()
        .map(|it| {
            (
                it.place.line,
                it.speaker.as_str(),
                it.text.as_str(),
                it.origin,
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            (2, "user", "one", Origin::Owner),
            (4, "Ann", "two", Origin::Untrusted)
        ]
    );
    let days: Vec<String> = found.iter().map(|it| it.day.unwrap().to_string()).collect();
    assert_eq!(days, ["2026-03-02", "2026-03-03"]);
    assert_eq!(
        read(&source, "sessions/main.jsonl", Some(found[1].place)),
        found[1..]
    );
}

#[test]
fn i8_what_was_recalled_or_quoted_is_not_found() {
    let home = test_home();
    let mut turn = begin(&home, "main");
    let fenced = "<recalled source=\"MEMORY.md:1\">\nthe plan\n</recalled>";
    let result = Message::ToolResult(ToolResult {
        call_id: ToolCallId::new("c"),
        tool_name: "memory_search".into(),
        content: vec![Block::Text(fenced.into())],
        outcome: ToolOutcome::Success,
    });
    for (message, origin) in [
        (result, Origin::Untrusted),
        (
            Message::assistant("- the plan (MEMORY.md:1)"),
            Origin::System,
        ),
        (
            Message::assistant(format!("So {fenced} it is.")),
            Origin::Agent,
        ),
    ] {
        turn.append_message(at(1), stored(message, origin)).unwrap();
    }
    assert_eq!(texts(&source(&home), "sessions/main.jsonl"), ["So  it is."]);
}

#[test]
fn a_rewind_hides_the_dead_branch_and_changes_the_history() {
    let home = test_home();
    let mut turn = begin(&home, "main");
    let first = turn
        .append_message(at(1), stored(Message::user("a"), Origin::Owner))
        .unwrap();
    let source = source(&home);
    let stat = || source.documents().unwrap().remove(0);
    let before = stat();
    turn.append_message(at(2), stored(Message::user("b"), Origin::Owner))
        .unwrap();
    let grown = stat();
    assert_eq!(grown.history, before.history);
    assert_ne!(grown.stamp, before.stamp);
    assert_eq!(stat(), grown);
    turn.append_rewind(at(3), &first).unwrap();
    turn.append_message(at(4), stored(Message::user("c"), Origin::Owner))
        .unwrap();
    assert_ne!(stat().history, before.history);
    assert_eq!(texts(&source, "sessions/main.jsonl"), ["a", "c"]);
}

#[test]
fn a_copy_is_found_only_where_its_original_is_not() {
    let home = test_home();
    let mut original = begin(&home, "main");
    let entry = original
        .append_message(at(1), stored(Message::user("a"), Origin::Owner))
        .unwrap();
    let mut fork = begin(&home, "fork");
    for session in [original.session_id().clone(), SessionId::new("gone")] {
        let copied_from = Some(CopiedFrom {
            session: session.clone(),
            entry: entry.clone(),
            first: None,
        });
        let message = StoredMessage {
            copied_from,
            ..stored(
                Message::user(format!("copy of {}", session == *original.session_id())),
                Origin::Owner,
            )
        };
        fork.append_message(at(2), message).unwrap();
    }
    let source = source(&home);
    assert_eq!(texts(&source, "sessions/fork.jsonl"), ["copy of false"]);
    assert_eq!(texts(&source, "sessions/main.jsonl"), ["a"]);
}

#[test]
fn i16_a_path_that_is_no_session_is_an_error() {
    let home = test_home();
    let source = source(&home);
    for path in ["sessions/../x.jsonl", "main.jsonl", "sessions/none.jsonl"] {
        assert!(source.read(path, None, &mut |_| {}).is_err(), "{path}");
    }
    assert_eq!(source.documents().unwrap(), []);
    assert_eq!(SessionSource::name_of("sessions/main.jsonl"), Some(main()));
}

#[test]
fn a_forgotten_entry_is_not_given_and_only_its_transcript_is_read_anew() {
    let home = test_home();
    let source = source(&home).hiding(Arc::clone(&home.runtime.home.workspace));
    let mut turn = begin(&home, "main");
    turn.append_message(at(30), stored(Message::user("one"), Origin::Owner))
        .unwrap();
    let entry = turn
        .append_message(at(31), stored(Message::user("two"), Origin::Owner))
        .unwrap();
    begin(&home, "other")
        .append_message(at(30), stored(Message::user("three"), Origin::Owner))
        .unwrap();
    let histories = || -> Vec<String> {
        let documents = source.documents().unwrap().into_iter();
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
