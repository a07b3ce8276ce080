//! The messages of a conversation: text, images by reference, tool calls and their results.
//!
//! Independent of the storage format and of the formats of providers.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::{ToolCallId, Usage, redact};

/// One message of a conversation.
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    /// A message to the assistant.
    User {
        /// Its blocks, in order.
        content: Vec<Block>,
        /// The speaker, if several people take part.
        name: Option<String>,
    },
    /// A reply of the assistant.
    Assistant(Assistant),
    /// The result of a tool call.
    ToolResult(ToolResult),
}

/// A reply of the assistant.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Assistant {
    /// Text, thoughts and tool calls, in order.
    pub content: Vec<Block>,
    /// The provider's token counts for this call, if reported.
    pub usage: Option<Usage>,
    /// Why the reply ended.
    pub stop: StopReason,
}

/// Why a reply ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum StopReason {
    /// The reply was complete.
    #[default]
    Stop,
    /// The reply reached its length limit.
    Length,
    /// The assistant is waiting for tool results.
    ToolUse,
    /// The provider failed in the middle of the reply.
    Error,
    /// The owner cancelled the reply.
    Aborted,
}

/// The result of one tool call.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolResult {
    /// The call that the result answers.
    pub call_id: ToolCallId,
    /// The tool, as the call named it.
    pub tool_name: String,
    /// The content of the result.
    pub content: Vec<Block>,
    /// Whether the tool succeeded.
    pub outcome: ToolOutcome,
}

/// Whether a tool succeeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolOutcome {
    /// The tool succeeded.
    Success,
    /// The tool failed; the content gives the reason.
    Failure,
}

/// A part of a message.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// Plain text or Markdown.
    Text(String),
    /// The model's reasoning before its answer.
    Thinking(String),
    /// A picture, by reference: the bytes stay in the transcript or in a file.
    Image(Image),
    /// A request to run a tool.
    ToolCall(ToolCall),
    /// A block of an unknown kind; the transcript keeps it untouched.
    Unknown {
        /// The kind, as named in the file.
        kind: String,
        /// Its length as JSON, in bytes.
        n_bytes: usize,
    },
}

impl Block {
    /// The call, if the block is one.
    pub fn tool_call(&self) -> Option<&ToolCall> {
        match self {
            Self::ToolCall(call) => Some(call),
            Self::Text(_) | Self::Thinking(_) | Self::Image(_) | Self::Unknown { .. } => None,
        }
    }

    /// All text blocks, joined by newlines.
    pub fn text_of(content: &[Self]) -> String {
        let texts = content.iter().filter_map(|block| match block {
            Self::Text(text) => Some(text.as_str()),
            Self::Thinking(_) | Self::Image(_) | Self::ToolCall(_) | Self::Unknown { .. } => None,
        });
        texts.collect::<Vec<_>>().join("\n")
    }
}

/// A picture, by reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// The media type, such as `image/png`.
    pub mime_type: String,
    /// A path or address, or `inline:N` for an image of N bytes in the transcript line itself.
    pub reference: String,
}

/// A request of the assistant to run a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Pairs the call with its result.
    pub id: ToolCallId,
    /// The tool.
    pub name: String,
    /// JSON text exactly as the model wrote it; it may be malformed.
    pub arguments: String,
}

impl ToolCall {
    /// The result of this call: the text of a success, or the reason of a failure.
    pub fn answered(&self, answer: Result<String, String>) -> ToolResult {
        let (text, outcome) = match answer {
            Ok(text) => (text, ToolOutcome::Success),
            Err(text) => (text, ToolOutcome::Failure),
        };
        ToolResult {
            call_id: self.id.clone(),
            tool_name: self.name.clone(),
            content: vec![Block::Text(text)],
            outcome,
        }
    }
}

impl Message {
    /// A user message of one text.
    pub fn user(text: impl Into<String>) -> Self {
        Self::User {
            content: vec![Block::Text(text.into())],
            name: None,
        }
    }

    /// A finished reply of one text.
    pub fn assistant(text: impl Into<String>) -> Self {
        Self::Assistant(Assistant {
            content: vec![Block::Text(text.into())],
            ..Assistant::default()
        })
    }

    /// The parts of the message, in order.
    pub fn content(&self) -> &[Block] {
        match self {
            Self::User { content, .. } => content,
            Self::Assistant(assistant) => &assistant.content,
            Self::ToolResult(result) => &result.content,
        }
    }

    /// The parts of the message, mutable.
    pub fn content_mut(&mut self) -> &mut Vec<Block> {
        match self {
            Self::User { content, .. } => content,
            Self::Assistant(assistant) => &mut assistant.content,
            Self::ToolResult(result) => &mut result.content,
        }
    }

    /// Redacts secrets in texts and arguments. Messages must be redacted as a whole, before anything is cut from
    /// them.
    #[must_use]
    pub fn redacted(mut self) -> Self {
        for block in self.content_mut() {
            let text = match block {
                Block::Text(text) | Block::Thinking(text) => text,
                Block::ToolCall(call) => &mut call.arguments,
                Block::Image(_) | Block::Unknown { .. } => continue,
            };
            if let Cow::Owned(redacted) = redact(text) {
                *text = redacted;
            }
        }
        self
    }

    /// All text blocks, joined by newlines. Reasoning and tool calls are left out.
    pub fn text(&self) -> String {
        Block::text_of(self.content())
    }

    /// The tool calls of the message, in order.
    pub fn tool_calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.content().iter().filter_map(Block::tool_call)
    }

    /// The role: `user`, `assistant` or `toolResult`.
    pub fn role(&self) -> &'static str {
        match self {
            Self::User { .. } => "user",
            Self::Assistant(_) => "assistant",
            Self::ToolResult(_) => "toolResult",
        }
    }
}
