//! The line format of a trace: one exchange per line, as JSON.
//!
//! Knows no files.

use std::time::Duration;

use base::model::{ModelError, ModelProfile, Purpose, ReplyEvent, Request, SaidSizes};
use base::{Block, Message, ToolCall, ToolOutcome, redact};
use serde::{Deserialize, Serialize};

/// The version written, and the newest version read.
const VERSION: u32 = 1;

/// A trace that cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TraceError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Disk(#[from] base::disk::DiskError),
    /// A line is not an exchange.
    #[error("line {line} of the trace is not an exchange")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// The parse error.
        #[source]
        cause: serde_json::Error,
    },
    /// The trace was written by a newer version.
    #[error("line {line} of the trace has version {found}; this program reads {VERSION}")]
    TooNew {
        /// Its number, from 1.
        line: usize,
        /// Its version.
        found: u32,
    },
}

/// One request and its reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Exchange {
    version: u32,
    pub(super) model: String,
    /// The window of the recorded model, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) context_window: Option<u64>,
    pub(super) purpose: Purpose,
    pub(super) system: String,
    pub(super) messages: Vec<MessageWire>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) tools: Vec<String>,
    pub(super) output_max: u64,
    reply: Vec<PieceWire>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MessageWire {
    pub(super) role: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) call_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) failed: Option<bool>,
    pub(super) content: Vec<BlockWire>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum BlockWire {
    Text(String),
    Thinking(String),
    Image(String),
    ToolCall(ToolCall),
    Unknown(String),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum PieceWire {
    Error(ErrorWire),
    #[serde(untagged)]
    Event(ReplyEvent),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum ErrorWire {
    Unavailable(String),
    ContextOverflow,
    ContextOverflowOf(SaidSizes),
    #[serde(rename_all = "camelCase")]
    RateLimited {
        retry_after_ms: Option<u64>,
    },
    Refused(String),
    Broken(String),
}

pub(super) type TracePieces = Vec<Result<ReplyEvent, ModelError>>;

impl Exchange {
    /// Redacts an exchange for writing; joins adjacent pieces of text first, so that no secret hides across two.
    pub(super) fn new(model: &ModelProfile, request: &Request, pieces: &TracePieces) -> Self {
        let mut reply: Vec<PieceWire> = Vec::new();
        for piece in pieces.iter().filter_map(piece_wire) {
            match (reply.last_mut(), piece) {
                (
                    Some(PieceWire::Event(ReplyEvent::Text(text))),
                    PieceWire::Event(ReplyEvent::Text(more)),
                )
                | (
                    Some(PieceWire::Event(ReplyEvent::Thinking(text))),
                    PieceWire::Event(ReplyEvent::Thinking(more)),
                ) => text.push_str(&more),
                (_, piece) => reply.push(piece),
            }
        }
        reply.iter_mut().for_each(PieceWire::redact);
        Self {
            version: VERSION,
            model: model.name.clone(),
            context_window: model.context_window.map(|window| window.0),
            purpose: request.purpose,
            system: clean(&request.system),
            messages: request.messages.iter().map(message_wire).collect(),
            tools: request.tools.iter().map(|tool| tool.name.clone()).collect(),
            output_max: request.output_max.0,
            reply,
        }
    }

    /// The line of a trace, including its newline.
    pub(super) fn to_line(&self) -> Vec<u8> {
        // Serialising these types cannot fail.
        let mut line = serde_json::to_vec(self).unwrap_or_default();
        line.push(b'\n');
        line
    }

    pub(super) fn read(line: usize, text: &[u8]) -> Result<Self, TraceError> {
        let exchange: Self =
            serde_json::from_slice(text).map_err(|cause| TraceError::Line { line, cause })?;
        if exchange.version > VERSION {
            let found = exchange.version;
            return Err(TraceError::TooNew { line, found });
        }
        Ok(exchange)
    }

    pub(super) fn pieces(&self) -> TracePieces {
        let piece = |piece: &PieceWire| match piece {
            PieceWire::Event(event) => Ok(event.clone()),
            PieceWire::Error(error) => Err(error_of(error, self.model.clone())),
        };
        self.reply.iter().map(piece).collect()
    }
}

fn clean(text: &str) -> String {
    redact(text).into_owned()
}

fn message_wire(message: &Message) -> MessageWire {
    let (call_id, failed) = match message {
        Message::ToolResult(result) => (
            Some(result.call_id.as_str().to_owned()),
            Some(result.outcome == ToolOutcome::Failure),
        ),
        Message::User { .. } | Message::Assistant(_) => (None, None),
    };
    MessageWire {
        role: message.role().to_owned(),
        call_id,
        failed,
        content: message.content().iter().map(block_wire).collect(),
    }
}

fn block_wire(block: &Block) -> BlockWire {
    match block {
        Block::Text(text) => BlockWire::Text(clean(text)),
        Block::Thinking(text) => BlockWire::Thinking(clean(text)),
        Block::Image(image) => BlockWire::Image(image.mime_type.clone()),
        Block::ToolCall(call) => BlockWire::ToolCall(ToolCall {
            arguments: clean(&call.arguments),
            ..call.clone()
        }),
        Block::Unknown { kind, .. } => BlockWire::Unknown(kind.clone()),
    }
}

impl PieceWire {
    fn redact(&mut self) {
        match self {
            Self::Event(
                ReplyEvent::Text(text)
                | ReplyEvent::Thinking(text)
                | ReplyEvent::ToolCall(ToolCall {
                    arguments: text, ..
                }),
            )
            | Self::Error(
                ErrorWire::Unavailable(text) | ErrorWire::Refused(text) | ErrorWire::Broken(text),
            ) => *text = clean(text),
            Self::Event(
                ReplyEvent::AskedAgain { .. } | ReplyEvent::Warning(_) | ReplyEvent::Done { .. },
            )
            | Self::Error(
                ErrorWire::ContextOverflow
                | ErrorWire::ContextOverflowOf(_)
                | ErrorWire::RateLimited { .. },
            ) => {}
        }
    }
}

/// The wire form of a piece; retries and warnings are not part of an exchange.
fn piece_wire(piece: &Result<ReplyEvent, ModelError>) -> Option<PieceWire> {
    match piece {
        Ok(ReplyEvent::AskedAgain { .. } | ReplyEvent::Warning(_)) => None,
        Ok(event) => Some(PieceWire::Event(event.clone())),
        Err(error) => Some(PieceWire::Error(error_wire(error))),
    }
}

fn error_wire(error: &ModelError) -> ErrorWire {
    match error {
        ModelError::Unavailable { reason, .. } => ErrorWire::Unavailable(reason.clone()),
        ModelError::ContextOverflow { said, .. } if *said == SaidSizes::default() => {
            ErrorWire::ContextOverflow
        }
        ModelError::ContextOverflow { said, .. } => ErrorWire::ContextOverflowOf(*said),
        ModelError::RateLimited { retry_after, .. } => ErrorWire::RateLimited {
            retry_after_ms: retry_after
                .map(|wait| u64::try_from(wait.as_millis()).unwrap_or(u64::MAX)),
        },
        ModelError::Refused { reason, .. } => ErrorWire::Refused(reason.clone()),
        ModelError::Broken { reason, .. } => ErrorWire::Broken(reason.clone()),
        error => ErrorWire::Broken(error.to_string()),
    }
}

fn error_of(error: &ErrorWire, model: String) -> ModelError {
    match error.clone() {
        ErrorWire::Unavailable(reason) => ModelError::Unavailable { model, reason },
        ErrorWire::ContextOverflow => {
            let said = SaidSizes::default();
            ModelError::ContextOverflow { model, said }
        }
        ErrorWire::ContextOverflowOf(said) => ModelError::ContextOverflow { model, said },
        ErrorWire::RateLimited { retry_after_ms } => ModelError::RateLimited {
            model,
            retry_after: retry_after_ms.map(Duration::from_millis),
        },
        ErrorWire::Refused(reason) => ModelError::Refused { model, reason },
        ErrorWire::Broken(reason) => ModelError::Broken { model, reason },
    }
}
