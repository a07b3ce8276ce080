//! The JSON format of a recorded message.
//!
//! No other module contains its keys.

use base::{
    Block, Image, Message, Origin, Timestamp, ToolCall, ToolCallId, ToolOutcome, ToolResult,
    scope_of,
};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::formats::{ImportedMessage, assistant, instant};

/// `{"role","content","timestamp"?,"name"?,"toolCalls"?,"toolCallId"?,"isError"?}`; ignores unknown keys, because
/// recorders add their own.
#[derive(Deserialize)]
#[serde(
    rename_all = "camelCase",
    expecting = "an object with role and content"
)]
pub(super) struct WireMessage {
    role: String,
    content: Option<WireContent>,
    timestamp: Option<WireTimestamp>,
    name: Option<String>,
    #[serde(default, alias = "tool_calls")]
    tool_calls: Option<Vec<RecordedCall>>,
    #[serde(default, alias = "tool_call_id")]
    tool_call_id: Option<String>,
    #[serde(default)]
    is_error: bool,
}

#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "content is neither text nor a list of blocks such as {\"type\":\"text\",\"text\":\"hello\"}"
)]
enum WireContent {
    Text(String),
    Blocks(Vec<WireBlock>),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireBlock {
    #[serde(rename = "type")]
    kind: String,
    text: Option<String>,
    mime_type: Option<String>,
    #[serde(default, alias = "url", alias = "path")]
    reference: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "timestamp is neither text nor a number")]
enum WireTimestamp {
    Text(String),
    Number(f64),
}

/// A tool call, either plain or in OpenAI's format with a `function` around name and arguments.
#[derive(Deserialize)]
#[serde(expecting = "a tool call with id, name and arguments")]
struct RecordedCall {
    id: Option<String>,
    function: Option<RecordedFunction>,
    name: Option<String>,
    arguments: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object with name and arguments")]
struct RecordedFunction {
    name: String,
    arguments: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
struct WireHeader {
    r#type: String,
}

/// Whether a line is the header of a session file.
pub(super) fn is_session_header(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    let header: Result<WireHeader, _> = serde_json::from_slice(bytes);
    header.is_ok_and(|header| header.r#type == "session")
}

/// The repository scope in the first line of a recording. It is in the id of a session, or a field of an exported
/// message.
pub(super) fn scope_in(bytes: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct WireScope {
        id: Option<String>,
        scope: Option<String>,
    }
    let is_session = is_session_header(bytes);
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    let line: WireScope = serde_json::from_slice(bytes).ok()?;
    let text = if is_session { line.id } else { line.scope };
    text.as_deref().and_then(scope_of).map(str::to_owned)
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Parses one line; the error is a clause without final punctuation.
pub(super) fn parse(bytes: &[u8]) -> Result<ImportedMessage, String> {
    let wire: WireMessage = serde_json::from_slice(bytes).map_err(|error| reason(&error))?;
    let origin = match wire.role.as_str() {
        "user" | "human" => Origin::Owner,
        "assistant" => Origin::Agent,
        "tool" | "toolResult" | "function" => Origin::Untrusted,
        "system" | "developer" => Origin::System,
        other => {
            let roles = "user, assistant, tool, system";
            return Err(format!("role {other:?} is not one of {roles}"));
        }
    };
    let at = wire.timestamp.as_ref().map(parse_timestamp).transpose()?;
    let message = to_message(origin, wire)?;
    Ok(ImportedMessage::new(at, (origin, message)))
}

fn to_message(origin: Origin, wire: WireMessage) -> Result<Message, String> {
    let mut content = to_blocks(wire.content);
    Ok(match origin {
        Origin::Owner | Origin::System => {
            let is_system = origin == Origin::System;
            let name = is_system.then(|| "system".to_owned()).or(wire.name);
            Message::User { content, name }
        }
        Origin::Agent => {
            let calls = wire.tool_calls.unwrap_or_default();
            for (position, call) in calls.into_iter().enumerate() {
                content.push(Block::ToolCall(to_call(call, position)?));
            }
            assistant(content)
        }
        Origin::Untrusted => Message::ToolResult(ToolResult {
            call_id: ToolCallId::new(wire.tool_call_id.ok_or("a tool message needs toolCallId")?),
            tool_name: wire.name.unwrap_or_default(),
            content,
            outcome: if wire.is_error {
                ToolOutcome::Failure
            } else {
                ToolOutcome::Success
            },
        }),
    })
}

fn to_blocks(content: Option<WireContent>) -> Vec<Block> {
    match content {
        None => Vec::new(),
        Some(WireContent::Text(text)) => vec![Block::Text(text)],
        Some(WireContent::Blocks(blocks)) => blocks.into_iter().map(to_block).collect(),
    }
}

fn to_block(block: WireBlock) -> Block {
    match (block.kind.as_str(), block.text, block.reference) {
        ("text", Some(text), _) => Block::Text(text),
        ("image", _, Some(reference)) => {
            let mime_type = block.mime_type.unwrap_or_else(|| "image/*".to_owned());
            Block::Image(Image {
                mime_type,
                reference,
            })
        }
        (_, text, reference) => {
            let n_bytes = text.map_or(0, |text| text.len()) + reference.map_or(0, |it| it.len());
            Block::Unknown {
                kind: block.kind,
                n_bytes,
            }
        }
    }
}

fn to_call(call: RecordedCall, position: usize) -> Result<ToolCall, String> {
    let (name, arguments) = match call.function {
        Some(function) => (Some(function.name), function.arguments),
        None => (call.name, call.arguments),
    };
    let name = name.ok_or("a tool call needs a name")?;
    let arguments = arguments.map_or_else(|| "{}".to_owned(), |raw| raw_arguments(&raw));
    let id = call.id.unwrap_or_else(|| format!("call-{position}"));
    Ok(ToolCall {
        id: ToolCallId::new(id),
        name,
        arguments,
    })
}

/// The JSON text of arguments, which are an object or a string that contains one.
fn raw_arguments(raw: &RawValue) -> String {
    serde_json::from_str(raw.get()).unwrap_or_else(|_| raw.get().to_owned())
}

/// Drops the line number from a serde error: a recorded message is always one line.
fn reason(error: &serde_json::Error) -> String {
    let (line, column) = (error.line(), error.column());
    let said = error.to_string();
    match said.strip_suffix(&format!(" at line {line} column {column}")) {
        Some(bare) => format!("{bare} (column {column})"),
        None => said,
    }
}

fn parse_timestamp(wire: &WireTimestamp) -> Result<Timestamp, String> {
    match wire {
        WireTimestamp::Text(text) => text.parse().map_err(|_| {
            let problem = match format!("{text}Z").parse::<Timestamp>() {
                Ok(_) => "has no offset; add Z for UTC, or an offset such as +02:00",
                Err(_) => "is not of the form 2026-04-20T14:23:00Z",
            };
            format!("timestamp {text:?} {problem}")
        }),
        WireTimestamp::Number(number) => {
            of_number(*number).ok_or_else(|| format!("timestamp {number} is out of range"))
        }
    }
}

/// Numbers below this are seconds: as milliseconds they would be before March 1973.
const SECONDS_BELOW: f64 = 1e11;

/// Converts a number since 1970 in seconds or milliseconds; recorders use either.
fn of_number(number: f64) -> Option<Timestamp> {
    let is_seconds = number.abs() < SECONDS_BELOW;
    let milliseconds = number * if is_seconds { 1000.0 } else { 1.0 };
    instant(milliseconds)
}
