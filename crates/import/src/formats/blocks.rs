//! Converts content blocks of Anthropic's programs into messages.
//!
//! Pairs calls with their results; reads no files.

use std::collections::HashMap;

use base::{
    Assistant, Block, Image, Message, Origin, StopReason, ToolCall, ToolCallId, ToolOutcome,
    ToolResult,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::model::NotUnderstood;

/// One block of any kind.
#[derive(Deserialize, Default)]
pub(super) struct ForeignBlockIn {
    #[serde(rename = "type", default)]
    kind: String,
    text: Option<String>,
    thinking: Option<String>,
    id: Option<String>,
    name: Option<String>,
    input: Option<Box<RawValue>>,
    tool_use_id: Option<String>,
    content: Option<Box<RawValue>>,
    is_error: Option<bool>,
    source: Option<SourceIn>,
}

#[derive(Deserialize, Default)]
struct SourceIn {
    media_type: Option<String>,
    data: Option<String>,
    url: Option<String>,
}

/// The media type of an image of unknown type.
pub(super) const ANY_IMAGE: &str = "image/*";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Speaker {
    /// The user of the other program.
    User,
    /// The assistant of the other program.
    Assistant,
}

/// The open calls of a conversation while it is read.
#[derive(Debug, Default)]
pub(super) struct KnownCalls {
    names: HashMap<String, String>,
    n_unnamed: u64,
    latest: Option<String>,
}

impl ForeignBlockIn {
    /// A block of text.
    pub(super) fn text(text: String) -> Self {
        Self {
            kind: "text".to_owned(),
            text: Some(text),
            ..Self::default()
        }
    }

    /// Whether the block is the result of a tool call.
    pub(super) fn is_result(&self) -> bool {
        self.kind == "tool_result"
    }

    /// Whether the block is a text that begins with `start`.
    pub(super) fn begins(&self, start: &str) -> bool {
        let text = self.text.as_deref().unwrap_or_default();
        self.kind == "text" && text.trim_start().starts_with(start)
    }

    /// A placeholder for a named image that is not in the file.
    pub(super) fn image(name: &str) -> Self {
        Self {
            kind: "image".to_owned(),
            source: Some(SourceIn {
                media_type: mime_type_of(name).map(str::to_owned),
                data: None,
                url: Some(name.to_owned()),
            }),
            ..Self::default()
        }
    }
}

/// The media type of an image by its extension; `None` for other extensions.
pub(super) fn mime_type_of(name: &str) -> Option<&'static str> {
    let ending = name.rsplit_once('.')?.1.to_ascii_lowercase();
    let known = [
        ("png", "image/png"),
        ("jpg", "image/jpeg"),
        ("jpeg", "image/jpeg"),
        ("gif", "image/gif"),
        ("webp", "image/webp"),
        ("heic", "image/heic"),
        ("svg", "image/svg+xml"),
    ];
    let found = known.iter().find(|(own, _)| *own == ending);
    found.map(|(_, mime_type)| *mime_type)
}

/// The readable elements of a list. Records unreadable ones, and a value that is not a list, as not understood.
pub(super) fn each<T: DeserializeOwned>(
    list: Option<&RawValue>,
    not_understood: &mut NotUnderstood,
) -> Vec<T> {
    let Some(list) = list else {
        return Vec::new();
    };
    let Ok(elements) = serde_json::from_str::<Vec<&RawValue>>(list.get()) else {
        not_understood.add("a list of files that cannot be read");
        return Vec::new();
    };
    let read = elements.into_iter().filter_map(|element| {
        let read = serde_json::from_str(element.get());
        read.inspect_err(|_| not_understood.add("a file that cannot be read"))
            .ok()
    });
    read.collect()
}

impl KnownCalls {
    /// Registers a call; returns its id, or a new one if it has none.
    pub(super) fn called(&mut self, id: Option<String>, name: &str) -> String {
        let id = id.filter(|id| !id.is_empty()).unwrap_or_else(|| {
            self.n_unnamed += 1;
            format!("call-{}", self.n_unnamed)
        });
        self.names.insert(id.clone(), name.to_owned());
        self.latest = Some(id.clone());
        id
    }

    /// The message for a result. A result without its call becomes a message of an untrusted user.
    pub(super) fn answered(
        &mut self,
        id: Option<String>,
        content: Vec<Block>,
        outcome: ToolOutcome,
    ) -> Message {
        let id = id.or_else(|| self.latest.clone()).unwrap_or_default();
        match self.names.remove(&id) {
            Some(tool_name) => Message::ToolResult(ToolResult {
                call_id: ToolCallId::new(id),
                tool_name,
                content,
                outcome,
            }),
            None => Message::User {
                content,
                name: Some("tool".to_owned()),
            },
        }
    }
}

/// Parses content, which is a text or a list of blocks; `None` if it is neither.
pub(super) fn read(raw: Option<&RawValue>) -> Option<Vec<ForeignBlockIn>> {
    let Some(raw) = raw else {
        return Some(Vec::new());
    };
    if let Ok(text) = serde_json::from_str::<Option<String>>(raw.get()) {
        return Some(text.into_iter().map(ForeignBlockIn::text).collect());
    }
    serde_json::from_str(raw.get()).ok()
}

/// The messages for the blocks of one speaker. Each result becomes a message of its own.
pub(super) fn messages(
    speaker: Speaker,
    origin: Origin,
    blocks: Vec<ForeignBlockIn>,
    (calls, not_understood): (&mut KnownCalls, &mut NotUnderstood),
) -> Vec<(Origin, Message)> {
    let mut found = Vec::new();
    let mut said = Vec::new();
    for block in blocks {
        if block.is_result() {
            found.extend(message(speaker, std::mem::take(&mut said)).map(|it| (origin, it)));
            let outcome = if block.is_error == Some(true) {
                ToolOutcome::Failure
            } else {
                ToolOutcome::Success
            };
            let inner = read(block.content.as_deref()).unwrap_or_default();
            let inner = inner.into_iter();
            let content = inner.filter_map(|inner| part(inner, calls, not_understood));
            let content = content.collect();
            let result = calls.answered(block.tool_use_id, content, outcome);
            found.push((Origin::Untrusted, result));
        } else {
            said.extend(part(block, calls, not_understood));
        }
    }
    found.extend(message(speaker, said).map(|it| (origin, it)));
    found
}

/// A message of these parts; `None` if there are none.
fn message(speaker: Speaker, content: Vec<Block>) -> Option<Message> {
    let name = None;
    let said = |content| match speaker {
        Speaker::User => Message::User { content, name },
        Speaker::Assistant => assistant(content),
    };
    (!content.is_empty()).then(|| said(content))
}

/// A reply whose stop reason follows from its parts.
pub(crate) fn assistant(content: Vec<Block>) -> Message {
    let is_call = |block: &Block| matches!(block, Block::ToolCall(_));
    let has_calls = content.iter().any(is_call);
    Message::Assistant(Assistant {
        content,
        usage: None,
        stop: if has_calls {
            StopReason::ToolUse
        } else {
            StopReason::Stop
        },
    })
}

fn part(
    block: ForeignBlockIn,
    calls: &mut KnownCalls,
    not_understood: &mut NotUnderstood,
) -> Option<Block> {
    match block.kind.as_str() {
        "text" => block.text.filter(|text| !text.is_empty()).map(Block::Text),
        "thinking" => block.thinking.map(Block::Thinking),
        "tool_use" | "server_tool_use" => {
            let name = block.name.unwrap_or_default();
            let arguments = block.input.as_deref().map_or("{}", RawValue::get);
            Some(Block::ToolCall(ToolCall {
                id: ToolCallId::new(calls.called(block.id, &name)),
                name,
                arguments: arguments.to_owned(),
            }))
        }
        "image" => {
            let source = block.source.unwrap_or_default();
            let n_bytes = source.data.map_or(0, |data| data.len());
            let left_behind = || format!("left behind: {n_bytes} characters of base64");
            Some(Block::Image(Image {
                mime_type: source.media_type.unwrap_or_else(|| ANY_IMAGE.to_owned()),
                reference: source.url.unwrap_or_else(left_behind),
            }))
        }
        kind => {
            not_understood.add(format!("a block of type {kind:?}"));
            None
        }
    }
}
