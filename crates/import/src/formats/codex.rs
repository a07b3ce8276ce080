//! Transcripts of Codex: JSON Lines of items.
//!
//! Events mostly repeat the items; only the text that the user typed and rolled-back turns are read from them.

use std::collections::HashSet;

use base::{Block, Image, Message, Origin, Timestamp, ToolCall, ToolCallId, ToolOutcome};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::blocks::{ANY_IMAGE, KnownCalls, assistant};
use super::model::{ImportedMessage, NotUnderstood};
use super::proven::parted;

#[derive(Deserialize)]
struct CodexLine {
    #[serde(default)]
    r#type: String,
    timestamp: Option<String>,
    payload: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
struct ItemIn {
    #[serde(default)]
    r#type: String,
    role: Option<String>,
    content: Option<Vec<PartIn>>,
    name: Option<String>,
    arguments: Option<String>,
    input: Option<String>,
    action: Option<Box<RawValue>>,
    call_id: Option<String>,
    output: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
struct PartIn {
    #[serde(default)]
    r#type: String,
    text: Option<String>,
}

#[derive(Deserialize)]
struct OutputIn {
    content: Option<String>,
    output: Option<String>,
}

/// Types of lines that hold no item.
const BESIDE: [&str; 7] = [
    "session_meta",
    "event_msg",
    "turn_context",
    "compacted",
    "state",
    "world_state",
    "token_usage_record",
];

/// Start of the instructions that Codex inserts from files; old versions do not record what was typed.
const INSTRUCTIONS: &str = "# AGENTS.md instructions";

/// An event with the text that the user typed, or the number of turns rolled back.
#[derive(Deserialize)]
struct EventIn {
    #[serde(default)]
    r#type: String,
    message: Option<String>,
    /// Its kind; `plain` or absent for typed text.
    kind: Option<String>,
    num_turns: Option<usize>,
}

/// Whether a line is from a Codex transcript.
pub(super) fn is_line(text: &str) -> bool {
    serde_json::from_str(text).is_ok_and(|line: CodexLine| {
        line.payload.is_some()
            && (line.r#type == "response_item" || BESIDE.contains(&line.r#type.as_str()))
    })
}

/// The messages, in order.
pub(super) fn read(text: &str, not_understood: &mut NotUnderstood) -> Vec<ImportedMessage> {
    let mut calls = KnownCalls::default();
    let mut messages: Vec<ImportedMessage> = Vec::new();
    // The index of the first message of each user turn.
    let mut turns: Vec<usize> = Vec::new();
    let typed = typed(text);
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let Ok(line) = serde_json::from_str::<CodexLine>(line) else {
            not_understood.add("a line that cannot be read");
            continue;
        };
        if line.r#type != "response_item" {
            if !BESIDE.contains(&line.r#type.as_str()) {
                not_understood.add(format!("a line of type {:?}", line.r#type));
            }
            if let Some(n_turns) = taken_back(&line) {
                let left = turns.split_off(turns.len().saturating_sub(n_turns));
                messages.truncate(left.first().copied().unwrap_or(messages.len()));
            }
            continue;
        }
        let item = line.payload.as_deref();
        let item = item.and_then(|item| serde_json::from_str::<ItemIn>(item.get()).ok());
        let Some(item) = item else {
            not_understood.add("an item that cannot be read");
            continue;
        };
        let at = line.timestamp.and_then(|at| at.parse().ok());
        if let Some((origin, message)) = message(item, &mut calls, not_understood) {
            let parts = by_whom(origin, message, &typed);
            if parts.iter().any(|(origin, _)| *origin == Origin::Owner) {
                turns.push(messages.len());
            }
            for (origin, message) in parts {
                push(&mut messages, at, origin, message);
            }
        }
    }
    messages
}

/// The number of turns that an event rolls back.
fn taken_back(line: &CodexLine) -> Option<usize> {
    let event: EventIn = serde_json::from_str(line.payload.as_ref()?.get()).ok()?;
    let is_rollback = event.r#type == "thread_rolled_back";
    event.num_turns.filter(|_| is_rollback)
}

/// The texts that the user typed, from events; old versions write none.
fn typed(text: &str) -> HashSet<String> {
    let lines = text.lines();
    let lines = lines.filter_map(|line| serde_json::from_str(line).ok());
    let events = lines.filter(|line: &CodexLine| line.r#type == "event_msg");
    let read = events.filter_map(|line| serde_json::from_str(line.payload?.get()).ok());
    let of_user = read.filter(|event: &EventIn| {
        event.r#type == "user_message" && event.kind.as_deref().is_none_or(|kind| kind == "plain")
    });
    let texts = of_user.filter_map(|event| event.message);
    texts.map(|text| text.trim().to_owned()).collect()
}

/// Splits a user message by origin: the owner's are texts proven by an event or, without events, those outside tags.
fn by_whom(origin: Origin, message: Message, typed: &HashSet<String>) -> Vec<(Origin, Message)> {
    if origin != Origin::Owner {
        return vec![(origin, message)];
    }
    let said = message.text();
    let said = said.trim();
    if typed.contains(said) {
        return vec![(origin, message)];
    }
    if typed.is_empty() && said.starts_with(INSTRUCTIONS) {
        return vec![(Origin::Untrusted, message)];
    }
    let blocks = message.content().iter().cloned();
    let by_user = |block| Message::User {
        content: vec![block],
        name: None,
    };
    let parts = blocks.flat_map(|block| parted(origin, by_user(block)));
    let parts = parts.map(|(origin, part)| {
        let is_proven = typed.is_empty() || typed.contains(part.text().trim());
        let origin = if is_proven { origin } else { Origin::Untrusted };
        (origin, part)
    });
    parts.collect()
}

/// Merges adjacent assistant messages into one reply.
fn push(
    messages: &mut Vec<ImportedMessage>,
    at: Option<Timestamp>,
    origin: Origin,
    message: Message,
) {
    if let (Some(last), Message::Assistant(more)) = (messages.last_mut(), &message)
        && matches!(last.message, Message::Assistant(_))
    {
        let mut parts = last.message.content().to_vec();
        parts.extend(more.content.iter().cloned());
        last.message = assistant(parts);
        return;
    }
    messages.push(ImportedMessage::new(at, (origin, message)));
}

fn message(
    item: ItemIn,
    calls: &mut KnownCalls,
    not_understood: &mut NotUnderstood,
) -> Option<(Origin, Message)> {
    match item.r#type.as_str() {
        "message" => said(item, not_understood),
        "reasoning" => None,
        "function_call" | "custom_tool_call" | "local_shell_call" => {
            let name = item.name.unwrap_or_else(|| "shell".to_owned());
            let arguments = item.arguments.or(item.input);
            let arguments = arguments.or_else(|| item.action.map(|raw| raw.get().to_owned()));
            let call = Block::ToolCall(ToolCall {
                id: ToolCallId::new(calls.called(item.call_id, &name)),
                name,
                arguments: arguments.unwrap_or_else(|| "{}".to_owned()),
            });
            Some((Origin::Agent, assistant(vec![call])))
        }
        "function_call_output" | "custom_tool_call_output" => {
            let text = item.output.as_deref().map(output).unwrap_or_default();
            let content = vec![Block::Text(text)];
            let result = calls.answered(item.call_id, content, ToolOutcome::Success);
            Some((Origin::Untrusted, result))
        }
        kind => {
            not_understood.add(format!("an item of type {kind:?}"));
            None
        }
    }
}

fn said(item: ItemIn, not_understood: &mut NotUnderstood) -> Option<(Origin, Message)> {
    let mut content = Vec::new();
    for part in item.content.unwrap_or_default() {
        match part.text {
            Some(text) if part.r#type.ends_with("text") => content.push(Block::Text(text)),
            None if part.r#type.ends_with("image") => content.push(Block::Image(Image {
                mime_type: ANY_IMAGE.to_owned(),
                reference: "left behind".to_owned(),
            })),
            Some(_) | None => not_understood.add(format!("a part of type {:?}", part.r#type)),
        }
    }
    content.retain(|block| !matches!(block, Block::Text(text) if text.is_empty()));
    if content.is_empty() {
        return None;
    }
    let by_user = |content| Message::User {
        content,
        name: None,
    };
    match item.role.as_deref() {
        Some("user") => Some((Origin::Owner, by_user(content))),
        Some("assistant") => Some((Origin::Agent, assistant(content))),
        Some("developer" | "system") => Some((Origin::System, by_user(content))),
        role => {
            not_understood.add(format!("a message of role {role:?}"));
            None
        }
    }
}

/// The text of an output: a string, an object around one, text parts, or else the raw JSON.
fn output(raw: &RawValue) -> String {
    let parts = serde_json::from_str::<Vec<PartIn>>(raw.get()).ok();
    let texts = |parts: Vec<PartIn>| parts.into_iter().map(|part| part.text).collect();
    if let Some(texts) = parts.and_then::<Vec<String>, _>(texts) {
        return texts.join("\n");
    }
    if let Ok(text) = serde_json::from_str::<String>(raw.get()) {
        let inner = serde_json::from_str::<OutputIn>(&text).ok();
        return inner.and_then(|inner| inner.output).unwrap_or(text);
    }
    let inner = serde_json::from_str::<OutputIn>(raw.get()).ok();
    let inner = inner.and_then(|inner| inner.content.or(inner.output));
    inner.unwrap_or_else(|| raw.get().to_owned())
}
