//! Writes messages in the format of a recording.
//!
//! The counterpart of `wire`; omits reasoning, which is not part of the conversation.

use base::{Block, Message, Origin, Timestamp, ToolOutcome};
use serde::Serialize;
use serde_json::value::RawValue;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RecordedLineOut<'a> {
    role: &'static str,
    content: ContentOut<'a>,
    timestamp: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<CallOut<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    is_error: Option<bool>,
    /// The scope of the session's repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    scope: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum ContentOut<'a> {
    Text(&'a str),
    Blocks(Vec<RecordedBlockOut<'a>>),
}

#[derive(Serialize)]
#[serde(
    tag = "type",
    rename_all = "lowercase",
    rename_all_fields = "camelCase"
)]
enum RecordedBlockOut<'a> {
    Text {
        text: &'a str,
    },
    Image {
        mime_type: &'a str,
        reference: &'a str,
    },
}

#[derive(Serialize)]
struct CallOut<'a> {
    id: &'a str,
    name: &'a str,
    arguments: RecordedArgumentsOut<'a>,
}

/// Arguments, as JSON or, if they are not valid JSON, as text.
#[derive(Serialize)]
#[serde(untagged)]
enum RecordedArgumentsOut<'a> {
    Json(Box<RawValue>),
    Text(&'a str),
}

/// Formats a message as a line of a recording, including its newline.
pub fn line_of(
    message: &Message,
    at: Timestamp,
    origin: Origin,
) -> Result<String, serde_json::Error> {
    line_in_scope(message, at, (origin, None))
}

/// Formats a message of a session in a repository, so that a copy stays in the repository. Every line contains the
/// scope, because a part of the lines is a recording too.
pub fn line_in_scope(
    message: &Message,
    at: Timestamp,
    (origin, scope): (Origin, Option<&str>),
) -> Result<String, serde_json::Error> {
    let (name, tool_call_id, is_error) = match message {
        Message::User { name, .. } => (name.as_deref(), None, None),
        Message::Assistant(_) => (None, None, None),
        Message::ToolResult(result) => {
            let has_failed = result.outcome == ToolOutcome::Failure;
            let call_id = Some(result.call_id.as_str());
            (Some(result.tool_name.as_str()), call_id, Some(has_failed))
        }
    };
    let role = match message {
        Message::User { .. } if origin == Origin::System => "system",
        Message::User { .. } => "user",
        Message::Assistant(_) => "assistant",
        Message::ToolResult(_) => "tool",
    };
    let line = RecordedLineOut {
        role,
        content: content(message.content()),
        timestamp: at.to_rfc3339_opts(chrono::SecondsFormat::Millis, true),
        name: name.filter(|_| role != "system"),
        tool_calls: message.tool_calls().map(call).collect(),
        tool_call_id,
        is_error: is_error.filter(|has_failed| *has_failed),
        scope,
    };
    let mut text = serde_json::to_string(&line)?;
    text.push('\n');
    Ok(text)
}

fn content(blocks: &[Block]) -> ContentOut<'_> {
    let said: Vec<RecordedBlockOut<'_>> = blocks.iter().filter_map(block).collect();
    match said.as_slice() {
        [RecordedBlockOut::Text { text }] => ContentOut::Text(text),
        _ => ContentOut::Blocks(said),
    }
}

fn block(block: &Block) -> Option<RecordedBlockOut<'_>> {
    match block {
        Block::Text(text) => Some(RecordedBlockOut::Text { text }),
        Block::Image(image) => Some(RecordedBlockOut::Image {
            mime_type: &image.mime_type,
            reference: &image.reference,
        }),
        Block::Thinking(_) | Block::ToolCall(_) | Block::Unknown { .. } => None,
    }
}

fn call(call: &base::ToolCall) -> CallOut<'_> {
    let json = RawValue::from_string(call.arguments.clone()).ok();
    // A string in a recording is the original text of arguments, so only an object is written as JSON.
    let object = json.filter(|json| json.get().trim_start().starts_with('{'));
    CallOut {
        id: call.id.as_str(),
        name: &call.name,
        arguments: object.map_or(
            RecordedArgumentsOut::Text(&call.arguments),
            RecordedArgumentsOut::Json,
        ),
    }
}

#[cfg(test)]
mod tests {
    use base::{Assistant, Image, StopReason, ToolCall, ToolCallId, ToolResult};

    use super::super::wire;
    use super::*;

    #[track_caller]
    fn check(message: &Message, expected: &str) {
        let at = "2026-03-02T08:04:17Z".parse().unwrap();
        let line = line_of(message, at, Origin::Owner).unwrap();
        assert_eq!(line, format!("{expected}\n"));
        let read = wire::parse(line.as_bytes()).unwrap();
        assert_eq!((&read.message, read.at), (message, Some(at)));
    }

    #[test]
    fn recording_line_reads_back_as_its_message() {
        check(
            &Message::user("gr\u{fc}\u{df} dich\n\"x\""),
            "{\"role\":\"user\",\"content\":\"gr\u{fc}\u{df} dich\\n\\\"x\\\"\",\"timestamp\":\"2026-03-02T08:04:17.000Z\"}",
        );
        let image = Image {
            mime_type: "image/png".to_owned(),
            reference: "inline:12".to_owned(),
        };
        check(
            &Message::User {
                content: vec![Block::Text("see".to_owned()), Block::Image(image)],
                name: Some("Ada".to_owned()),
            },
            r#"{"role":"user","content":[{"type":"text","text":"see"},{"type":"image","mimeType":"image/png","reference":"inline:12"}],"timestamp":"2026-03-02T08:04:17.000Z","name":"Ada"}"#,
        );
        let call = |id: &str, arguments: &str| {
            Block::ToolCall(ToolCall {
                id: ToolCallId::new(id),
                name: "ls".to_owned(),
                arguments: arguments.to_owned(),
            })
        };
        check(
            &Message::Assistant(Assistant {
                content: vec![call("a", r#"{"path": "/"}"#), call("b", "{broken")],
                usage: None,
                stop: StopReason::ToolUse,
            }),
            r#"{"role":"assistant","content":[],"timestamp":"2026-03-02T08:04:17.000Z","toolCalls":[{"id":"a","name":"ls","arguments":{"path": "/"}},{"id":"b","name":"ls","arguments":"{broken"}]}"#,
        );
        check(
            &Message::ToolResult(ToolResult {
                call_id: ToolCallId::new("a"),
                tool_name: "ls".to_owned(),
                content: vec![Block::Text("bin".to_owned())],
                outcome: ToolOutcome::Failure,
            }),
            r#"{"role":"tool","content":"bin","timestamp":"2026-03-02T08:04:17.000Z","name":"ls","toolCallId":"a","isError":true}"#,
        );
    }
}
