//! A conversation of three hundred tool calls: the messages that leave the window in between, and that the conversation
//! continues.
//!
//! The tests check every request as a provider would.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};

use agent::Event;
use base::disk::MemoryDisk;
use base::model::{Purpose, ReplyEvent};
use base::{Message, StopReason, TokenCount, ToolCall, ToolCallId};
use compaction::WindowEvent;
use serde_json::Value;
use testkit::{ReceivedRequest, ServerAnswer};

use crate::chat_with_model::{ended, home, reply, server};
use crate::in_process::{i3_calls_stand_with_their_results, tokens_of};
use crate::pipeline::{Answer, Double, Home, MAIN, done, extract, put, said};

const NOON: &str = "2026-04-20T12:00:00Z";
const WINDOW: TokenCount = TokenCount(8_000);

/// Replies with a call before the one that answers; a turn may have 64 replies.
const CALLS_PER_TURN: usize = 60;

const TURNS: usize = 5;

/// Sixty calls with some words around each, then an answer, again and again.
fn busy(n_asked: usize) -> Answer {
    if n_asked % (CALLS_PER_TURN + 1) == CALLS_PER_TURN {
        return said("That is all of them.");
    }
    let call = ToolCall {
        id: ToolCallId::new(format!("call-{n_asked}")),
        name: "read".into(),
        arguments: format!(r#"{{"path":"src/part_{n_asked}.rs"}}"#),
    };
    let words = "the part before is read, and the next one is needed too ".repeat(8);
    Ok(vec![
        ReplyEvent::Text(format!("Part {n_asked}: {words}")),
        ReplyEvent::ToolCall(call),
        done(StopReason::ToolUse),
    ])
}

#[test]
fn i3_i6_turns_compact_between_three_hundred_calls() {
    let n_asked = AtomicUsize::new(0);
    let model = Double::named("busy", None, move |request| {
        if request.purpose == Purpose::Chat {
            busy(n_asked.fetch_add(1, Ordering::SeqCst))
        } else {
            extract(request)
        }
    });
    let disk = MemoryDisk::new();
    put(&disk, "workspace/AGENTS.md", b"Be brief.\n");
    let home = Home::new(disk, WINDOW.0).with_models(&model, &Double::new(extract));
    let mut n_compacted_inside = 0;
    for number in 0..TURNS {
        let (reply, events) = home.turn(MAIN, NOON, &format!("Read the parts, {number}."));
        assert_eq!(
            Message::Assistant(reply.unwrap()).text(),
            "That is all of them."
        );
        let is_compaction =
            |event: &&Event| matches!(event, Event::Window(WindowEvent::CompactEnded { .. }));
        let called = events
            .iter()
            .skip_while(|it| !matches!(it, Event::ToolEnded { .. }));
        n_compacted_inside += called.filter(is_compaction).count();
    }
    assert!(n_compacted_inside >= TURNS, "{n_compacted_inside}");
    let requests = model.requests_for(Purpose::Chat);
    assert_eq!(requests.len(), TURNS * (CALLS_PER_TURN + 1));
    for request in &requests {
        i3_calls_stand_with_their_results(request);
        let whole = tokens_of(request) + request.output_max;
        assert!(whole <= WINDOW, "{whole}");
    }
    let transcript = home.transcript(MAIN);
    let roles = transcript.messages();
    let n_results = roles.iter().filter(|it| it.role() == "toolResult").count();
    assert_eq!(n_results, TURNS * CALLS_PER_TURN);
    transcript.assert_no_errors();
}

/// As a provider would look at a request: each call is followed by its result, and each result follows its call.
#[track_caller]
fn assert_paired_on_the_wire(messages: &[Value]) {
    let mut open: VecDeque<&str> = VecDeque::new();
    for message in messages {
        if message["role"] == "tool" {
            let answered = message["tool_call_id"].as_str();
            assert_eq!(open.pop_front(), answered);
        } else {
            assert!(open.is_empty(), "{open:?} have no result");
            let calls = message["tool_calls"].as_array();
            let ids = calls.into_iter().flatten();
            open.extend(ids.map(|call| call["id"].as_str().unwrap()));
        }
    }
    assert!(open.is_empty(), "{open:?} have no result");
}

/// The answers of a server that requests sixty calls in each turn and then says that these were all.
fn busy_on_the_wire(asked: &ReceivedRequest, n_asked: &AtomicUsize) -> ServerAnswer {
    let is_chat = asked.body["tools"]
        .as_array()
        .is_some_and(|tools| !tools.is_empty());
    if !is_chat {
        return reply(r#"{"notes": []}"#);
    }
    let number = n_asked.fetch_add(1, Ordering::SeqCst);
    if number % (CALLS_PER_TURN + 1) == CALLS_PER_TURN {
        return reply("That is all of them.");
    }
    let words = "the part before is read, and the next one is needed too ".repeat(16);
    let text = format!("Part {number}: {words}");
    let call = serde_json::json!({"content": text, "tool_calls": [{"index": 0, "id": format!("call-{number}"),
        "type": "function", "function": {"name": "list_files", "arguments": r#"{"path":"."}"#}}]});
    ended(&call, r#""tool_calls""#)
}

#[test]
fn i1_i3_chat_compacts_between_three_hundred_calls() {
    let n_asked = AtomicUsize::new(0);
    let path = "POST /v1/chat/completions";
    let server = server([]).answering(path, move |asked| busy_on_the_wire(asked, &n_asked));
    let home = home(&server.url("/v1"));
    let more = "  contextWindow: 12000\n  concurrency: 1\ntimezone: UTC\n";
    home.write("config.yaml", home.read("config.yaml") + more);
    let lines = ["Read the parts.\n"; TURNS].concat();
    home.run_with_input("chat", &lines).with_code(0);
    let asked = server.asked();
    let chats = asked.iter().filter(|it| it.line == path);
    let chats: Vec<_> = chats
        .filter(|it| it.body["tools"].as_array().is_some_and(|it| !it.is_empty()))
        .collect();
    assert_eq!(chats.len(), TURNS * (CALLS_PER_TURN + 1));
    for chat in chats {
        assert_paired_on_the_wire(chat.body["messages"].as_array().unwrap());
    }
    // What stands in the transcript, in order: `u`ser, `r`esult, the `e`nd of a turn, `c`ompaction.
    let text = home.read("sessions/main.jsonl");
    let marks: String = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter_map(|line| {
            let message = &line["message"];
            match (line["type"].as_str()?, message["role"].as_str()) {
                ("compaction", _) => Some('c'),
                ("message", Some("user")) => Some('u'),
                ("message", Some("toolResult")) => Some('r'),
                ("message", Some("assistant")) if message["stopReason"] == "stop" => Some('e'),
                _ => None,
            }
        })
        .collect();
    let turns: Vec<&str> = marks.split('u').skip(1).collect();
    assert_eq!(turns.len(), TURNS, "{marks}");
    for turn in turns {
        let n_results = turn.matches('r').count();
        assert_eq!(n_results, CALLS_PER_TURN, "{turn}");
        let (inside, _) = turn.split_once('e').unwrap();
        assert!(inside.contains("rc") && inside.contains("cr"), "{turn}");
    }
    crate::held::verify_is_clean(&home, "main");
}
