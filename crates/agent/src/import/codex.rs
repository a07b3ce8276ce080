//! Transcripts of Codex: JSON Lines of items.
//!
//! Leaves aside events, which tell again what the items say.

use base::{Block, Image, Message, Origin, Timestamp, ToolCall, ToolCallId, ToolOutcome};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::blocks::{ANY_IMAGE, Calls, assistant};
use super::model::{ImportedMessage, NotUnderstood};

#[derive(Deserialize)]
struct LineIn {
    #[serde(default)]
    r#type: String,
    #[serde(default)]
    timestamp: Option<String>,
    #[serde(default)]
    payload: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
struct ItemIn {
    #[serde(default)]
    r#type: String,
    #[serde(default)]
    role: Option<String>,
    #[serde(default)]
    content: Option<Vec<PartIn>>,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    arguments: Option<String>,
    #[serde(default)]
    input: Option<String>,
    #[serde(default)]
    action: Option<Box<RawValue>>,
    #[serde(default)]
    call_id: Option<String>,
    #[serde(default)]
    output: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
struct PartIn {
    #[serde(default)]
    r#type: String,
    #[serde(default)]
    text: Option<String>,
}

#[derive(Deserialize)]
struct OutputIn {
    #[serde(default)]
    content: Option<String>,
    #[serde(default)]
    output: Option<String>,
}

/// Kinds of lines that hold no item.
const BESIDE: [&str; 5] = [
    "session_meta",
    "event_msg",
    "turn_context",
    "compacted",
    "state",
];

/// What the program itself puts into the mouth of the user begins so.
const PUT_THERE: [&str; 4] = [
    "<environment_context>",
    "<user_instructions>",
    "# AGENTS.md instructions",
    "<turn_aborted>",
];

/// Whether a line is one of such a transcript.
pub(super) fn is_line(text: &str) -> bool {
    serde_json::from_str(text).is_ok_and(|line: LineIn| {
        line.payload.is_some()
            && (line.r#type == "response_item" || BESIDE.contains(&line.r#type.as_str()))
    })
}

/// What was said, in order.
pub(super) fn read(text: &str, not_understood: &mut NotUnderstood) -> Vec<ImportedMessage> {
    let mut calls = Calls::default();
    let mut messages: Vec<ImportedMessage> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let Ok(line) = serde_json::from_str::<LineIn>(line) else {
            not_understood.add("a line that cannot be read");
            continue;
        };
        if line.r#type != "response_item" {
            if !BESIDE.contains(&line.r#type.as_str()) {
                not_understood.add(format!("a line of type {:?}", line.r#type));
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
            push(&mut messages, at, origin, message);
        }
    }
    messages
}

/// Calls that follow one another belong to one reply.
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
    messages.push(ImportedMessage {
        at,
        origin,
        message,
    });
}

fn message(
    item: ItemIn,
    calls: &mut Calls,
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
    let mut texts = Vec::new();
    let mut images = Vec::new();
    for part in item.content.unwrap_or_default() {
        match part.text {
            Some(text) if part.r#type.ends_with("text") => texts.push(text),
            None if part.r#type.ends_with("image") => images.push(Block::Image(Image {
                mime_type: ANY_IMAGE.to_owned(),
                reference: "left behind".to_owned(),
            })),
            Some(_) | None => not_understood.add(format!("a part of type {:?}", part.r#type)),
        }
    }
    let text = texts.join("\n");
    if text.is_empty() && images.is_empty() {
        return None;
    }
    let is_said = Some(text.clone()).filter(|text| !text.is_empty());
    let content: Vec<Block> = is_said.map(Block::Text).into_iter().chain(images).collect();
    let by_user = |content| Message::User {
        content,
        name: None,
    };
    match item.role.as_deref() {
        Some("user") => {
            let is_put_there = PUT_THERE.iter().any(|it| text.trim_start().starts_with(it));
            let origin = if is_put_there {
                Origin::System
            } else {
                Origin::Owner
            };
            Some((origin, by_user(content)))
        }
        Some("assistant") => Some((Origin::Agent, assistant(content))),
        Some("developer" | "system") => Some((Origin::System, by_user(content))),
        role => {
            not_understood.add(format!("a message of role {role:?}"));
            None
        }
    }
}

/// An output is a text, an object around one, or something else that is kept as it is.
fn output(raw: &RawValue) -> String {
    if let Ok(text) = serde_json::from_str::<String>(raw.get()) {
        let inner = serde_json::from_str::<OutputIn>(&text).ok();
        return inner.and_then(|inner| inner.output).unwrap_or(text);
    }
    let inner = serde_json::from_str::<OutputIn>(raw.get()).ok();
    inner
        .and_then(|inner| inner.content.or(inner.output))
        .unwrap_or_else(|| raw.get().to_owned())
}
