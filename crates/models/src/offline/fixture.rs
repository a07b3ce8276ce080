//! Conversations for tests, written as lines of text.
//!
//! Only compiled for tests; holds no conversation itself.

use base::model::{Excerpt, MemoryReach, Purpose, Request};
use base::{
    Block, EntryId, Message, Origin, Timestamp, TokenCount, ToolCallId, ToolOutcome, ToolResult, Tz,
};

use super::OfflineEngine;

/// Reads `2026-04-20 user: text`, with `assistant`, `other`, `tool NAME` or `failed NAME` in place of `user`
/// and `earlier: text` for an earlier summary; a line that begins with `| ` goes on with the message before it.
pub(super) fn excerpts(conversation: &str) -> Vec<Excerpt> {
    let mut messages: Vec<(String, String)> = Vec::new();
    for line in conversation
        .lines()
        .map(str::trim_start)
        .filter(|line| !line.is_empty())
    {
        if let Some(more) = line.strip_prefix('|') {
            let (_, text) = messages.last_mut().expect("a message to go on with");
            text.push('\n');
            text.push_str(more.strip_prefix(' ').unwrap_or(more));
        } else {
            let (head, text) = line.split_once(':').expect("a head and a colon");
            messages.push((head.to_owned(), text.trim().to_owned()));
        }
    }
    let numbered = messages.into_iter().enumerate();
    numbered
        .map(|(index, (head, text))| excerpt(index, &head, &text))
        .collect()
}

fn excerpt(index: usize, head: &str, text: &str) -> Excerpt {
    let (day, speaker) = head.split_once(' ').unwrap_or(("2026-01-01", head));
    let at: Timestamp = format!("{day}T10:00:00Z").parse().expect("a day");
    let (origin, message) = match speaker.split_once(' ').unwrap_or((speaker, "")) {
        ("user", _) => (Origin::Owner, Message::user(text)),
        ("other", _) => (Origin::Untrusted, Message::user(text)),
        ("assistant", _) => (Origin::Agent, Message::assistant(text)),
        ("tool", name) => (Origin::Untrusted, tool(name, text, ToolOutcome::Success)),
        ("failed", name) => (Origin::Untrusted, tool(name, text, ToolOutcome::Failure)),
        ("earlier", _) => (Origin::System, Message::user(text)),
        _ => panic!("nobody speaks as {speaker}"),
    };
    Excerpt {
        label: format!("e{}", index + 1),
        entry: (head != "earlier").then(|| EntryId::new(format!("entry-{index}"))),
        at,
        origin,
        message,
        recalled: None,
    }
}

fn tool(name: &str, text: &str, outcome: ToolOutcome) -> Message {
    Message::ToolResult(ToolResult {
        call_id: ToolCallId::new("call"),
        tool_name: name.to_owned(),
        content: vec![Block::Text(text.to_owned())],
        outcome,
    })
}

/// A request about excerpts.
pub(super) fn request(purpose: Purpose, excerpts: Vec<Excerpt>, output_max: u64) -> Request {
    Request {
        purpose,
        system: String::new(),
        messages: Vec::new(),
        excerpts,
        reach: MemoryReach::Whole,
        spellings: Vec::new(),
        tools: Vec::new(),
        format: None,
        output_max: TokenCount(output_max),
        sampling: base::model::Sampling::Usual,
    }
}

/// What the engine replies; the reason where it refuses.
pub(super) fn reply(request: &Request) -> String {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    let engine = OfflineEngine::new(Tz::UTC);
    match runtime.block_on(base::model::complete(&engine, request)) {
        Ok(assistant) => Message::Assistant(assistant).text(),
        Err(error) => error.to_string(),
    }
}

/// The notes of a conversation with plenty of room.
pub(super) fn notes_of(conversation: &str) -> String {
    reply(&request(Purpose::Flush, excerpts(conversation), 1_500))
}

/// The summary of a conversation with plenty of room.
pub(super) fn summary_of(conversation: &str) -> String {
    reply(&request(Purpose::Summarise, excerpts(conversation), 1_500))
}
