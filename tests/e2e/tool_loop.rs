//! A conversation of three hundred tool calls: what leaves the window between them, and that it goes on.
//!
//! Every request is looked at as a provider would.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};

use agent::Event;
use base::disk::MemoryDisk;
use base::model::{Purpose, ReplyEvent, Request};
use base::{
    Message, StopReason, TokenCount, ToolCall, ToolCallId, estimate_message, estimate_text,
};
use compaction::Event as WindowEvent;

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

/// I3: each call is followed by its result, and no result stands alone.
#[track_caller]
fn assert_paired(request: &Request) {
    let mut open: VecDeque<&ToolCallId> = VecDeque::new();
    for message in &request.messages {
        if let Message::ToolResult(result) = message {
            assert_eq!(open.pop_front(), Some(&result.call_id));
        } else {
            assert!(open.is_empty(), "{open:?} have no result");
            open.extend(message.tool_calls().map(|call| &call.id));
        }
    }
    assert!(open.is_empty(), "{open:?} have no result");
}

#[test]
fn i3_i6_three_hundred_calls_are_compacted_between_calls_and_go_on() {
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
        assert_paired(request);
        let messages: TokenCount = request.messages.iter().map(estimate_message).sum();
        let specs = request.tools.iter();
        let tools: TokenCount = specs
            .map(|it| {
                estimate_text(&it.name)
                    + estimate_text(&it.description)
                    + estimate_text(&it.parameters)
            })
            .sum();
        let whole = estimate_text(&request.system) + messages + tools + request.output_max;
        assert!(whole <= WINDOW, "{whole}");
    }
    let transcript = home.transcript(MAIN);
    let roles = transcript.messages();
    let n_results = roles.iter().filter(|it| it.role() == "toolResult").count();
    assert_eq!(n_results, TURNS * CALLS_PER_TURN);
    transcript.assert_no_errors();
}
