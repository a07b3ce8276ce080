//! Serializes messages with a fixed field order.
//!
//! Never writes a line end inside a line.

use base::{
    Block, Message, Origin, StopReason, Timestamp, TokenCount, ToolCall, ToolOutcome, Usage,
};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_with::skip_serializing_none;

use crate::entry::{CopiedFrom, ReplaySource, StoredMessage};

/// The fields of a `message` line after the fields common to all lines.
#[skip_serializing_none]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MessageLineOut<'a> {
    origin: Option<Origin>,
    source: Option<&'a ReplaySource>,
    copied_from: Option<&'a CopiedFrom>,
    scopes: Option<&'a [String]>,
    message: MessageOut<'a>,
}

impl<'a> MessageLineOut<'a> {
    /// The wire form of a message with time `at`.
    pub(super) fn new(stored: &'a StoredMessage, at: Timestamp) -> Self {
        Self {
            origin: stored.origin,
            source: stored.source.as_ref(),
            copied_from: stored.copied_from.as_ref(),
            scopes: Some(stored.scopes.as_slice()).filter(|scopes| !scopes.is_empty()),
            message: message_out(&stored.message, at.timestamp_millis()),
        }
    }
}

/// A message of any role, with the fields in this order. Each role uses only some of the fields.
#[skip_serializing_none]
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct MessageOut<'a> {
    role: &'static str,
    tool_call_id: Option<&'a str>,
    tool_name: Option<&'a str>,
    content: Vec<EntryBlockOut<'a>>,
    name: Option<&'a str>,
    usage: Option<UsageOut>,
    stop_reason: Option<StopReason>,
    is_error: Option<bool>,
    timestamp: i64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct UsageOut {
    input: TokenCount,
    output: TokenCount,
    cache_read: TokenCount,
    cache_write: TokenCount,
    total_tokens: TokenCount,
    #[serde(skip_serializing_if = "Option::is_none")]
    estimate: Option<TokenCount>,
}

#[derive(Serialize)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
enum EntryBlockOut<'a> {
    Text {
        text: &'a str,
    },
    Thinking {
        thinking: &'a str,
    },
    Image {
        mime_type: &'a str,
        reference: &'a str,
    },
    ToolCall {
        id: &'a str,
        name: &'a str,
        arguments: EntryArgumentsOut<'a>,
    },
    #[serde(untagged)]
    Unknown {
        r#type: &'a str,
        omitted_bytes: usize,
    },
}

#[derive(Serialize)]
#[serde(untagged)]
enum EntryArgumentsOut<'a> {
    Object(Box<RawValue>),
    Text(&'a str),
}

fn message_out(message: &Message, timestamp: i64) -> MessageOut<'_> {
    let mut out = MessageOut {
        role: message.role(),
        content: message.content().iter().map(block_out).collect(),
        timestamp,
        ..MessageOut::default()
    };
    match message {
        Message::User { name, .. } => out.name = name.as_deref(),
        Message::Assistant(assistant) => {
            out.usage = assistant.usage.map(usage_out);
            out.stop_reason = Some(assistant.stop);
        }
        Message::ToolResult(result) => {
            out.tool_call_id = Some(result.call_id.as_str());
            out.tool_name = Some(&result.tool_name);
            out.is_error = Some(result.outcome == ToolOutcome::Failure);
        }
    }
    out
}

fn usage_out(usage: Usage) -> UsageOut {
    UsageOut {
        input: usage.input,
        output: usage.output,
        cache_read: usage.cache_read,
        cache_write: usage.cache_write,
        total_tokens: usage.input + usage.output + usage.cache_read + usage.cache_write,
        estimate: usage.estimate,
    }
}

fn block_out(block: &Block) -> EntryBlockOut<'_> {
    match block {
        Block::Text(text) => EntryBlockOut::Text { text },
        Block::Thinking(thinking) => EntryBlockOut::Thinking { thinking },
        Block::Image(image) => EntryBlockOut::Image {
            mime_type: &image.mime_type,
            reference: &image.reference,
        },
        Block::ToolCall(call) => EntryBlockOut::ToolCall {
            id: call.id.as_str(),
            name: &call.name,
            arguments: arguments_out(call),
        },
        Block::Unknown { kind, n_bytes } => EntryBlockOut::Unknown {
            r#type: kind,
            omitted_bytes: *n_bytes,
        },
    }
}

/// Keeps a JSON object as the model wrote it; stores anything else as text.
fn arguments_out(call: &ToolCall) -> EntryArgumentsOut<'_> {
    let raw = RawValue::from_string(call.arguments.trim_ascii().to_owned()).ok();
    let object = raw.filter(|raw| raw.get().starts_with('{'));
    let on_one_line = object.and_then(|raw| {
        if raw.get().contains(['\n', '\r']) {
            RawValue::from_string(without_spaces(raw.get())).ok()
        } else {
            Some(raw)
        }
    });
    on_one_line.map_or(
        EntryArgumentsOut::Text(&call.arguments),
        EntryArgumentsOut::Object,
    )
}

/// Removes white space between JSON tokens.
fn without_spaces(json: &str) -> String {
    let mut in_string = false;
    let mut is_escaped = false;
    json.chars()
        .filter(|&character| {
            let is_kept = in_string || !character.is_ascii_whitespace();
            if character == '"' && !is_escaped {
                in_string = !in_string;
            }
            is_escaped = in_string && character == '\\' && !is_escaped;
            is_kept
        })
        .collect()
}
