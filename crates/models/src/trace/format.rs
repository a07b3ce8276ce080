//! The lines of a trace: one exchange each, as JSON.
//!
//! Knows nothing of files.

use std::time::Duration;

use base::model::{ModelError, ModelProfile, Purpose, ReplyEvent, Request, SaidSizes};
use base::{
    Block, Message, StopReason, TokenCount, ToolCall, ToolCallId, ToolOutcome, Usage, redact,
};
use serde::{Deserialize, Serialize};

/// The version that this program writes and the newest that it reads.
const VERSION: u32 = 1;

/// A line that is no exchange.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TraceError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Disk(#[from] base::disk::DiskError),
    /// A line is not what a trace holds.
    #[error("line {line} of the trace is no exchange")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// What is wrong with it.
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

/// One request and what came of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Exchange {
    version: u32,
    pub(super) model: String,
    /// The most that a request and its reply may hold, where that was known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) context_window: Option<u64>,
    pub(super) purpose: PurposeWire,
    pub(super) system: String,
    pub(super) messages: Vec<MessageWire>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) tools: Vec<String>,
    pub(super) output_max: u64,
    reply: Vec<EventWire>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum PurposeWire {
    Chat,
    Flush,
    Summarise,
    Consolidate,
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
    ToolCall(CallWire),
    Unknown(String),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct CallWire {
    id: String,
    name: String,
    arguments: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum EventWire {
    Text(String),
    Thinking(String),
    ToolCall(CallWire),
    Done {
        stop: StopWire,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        usage: Option<UsageWire>,
    },
    Error(ErrorWire),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum StopWire {
    Stop,
    Length,
    ToolUse,
    Error,
    Aborted,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct UsageWire {
    input: u64,
    output: u64,
    cache_read: u64,
    cache_write: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum ErrorWire {
    Unavailable(String),
    ContextOverflow,
    #[serde(rename_all = "camelCase")]
    ContextOverflowOf {
        window: Option<u64>,
        request: Option<u64>,
    },
    #[serde(rename_all = "camelCase")]
    RateLimited {
        retry_after_ms: Option<u64>,
    },
    Refused(String),
    Broken(String),
}

/// What came of a request, piece by piece.
pub(super) type Pieces = Vec<Result<ReplyEvent, ModelError>>;

impl Exchange {
    /// An exchange as it is written: redacted, and neighbouring pieces of text joined, so that no secret
    /// hides between two of them.
    pub(super) fn new(model: &ModelProfile, request: &Request, pieces: &Pieces) -> Self {
        let mut reply: Vec<EventWire> = Vec::new();
        for event in pieces.iter().filter_map(event_wire) {
            match (reply.last_mut(), event) {
                (Some(EventWire::Text(text)), EventWire::Text(more))
                | (Some(EventWire::Thinking(text)), EventWire::Thinking(more)) => {
                    text.push_str(&more);
                }
                (_, event) => reply.push(event),
            }
        }
        reply.iter_mut().for_each(EventWire::redact);
        Self {
            version: VERSION,
            model: model.name.clone(),
            context_window: model.context_window.map(|window| window.0),
            purpose: purpose_wire(request.purpose),
            system: clean(&request.system),
            messages: request.messages.iter().map(message_wire).collect(),
            tools: request.tools.iter().map(|tool| tool.name.clone()).collect(),
            output_max: request.output_max.0,
            reply,
        }
    }

    /// The line of a trace, with its end.
    pub(super) fn to_line(&self) -> Vec<u8> {
        // Nothing in these types can fail to be written.
        let mut line = serde_json::to_vec(self).unwrap_or_default();
        line.push(b'\n');
        line
    }

    /// Reads a line of a trace.
    pub(super) fn read(line: usize, text: &[u8]) -> Result<Self, TraceError> {
        let exchange: Self =
            serde_json::from_slice(text).map_err(|cause| TraceError::Line { line, cause })?;
        if exchange.version > VERSION {
            let found = exchange.version;
            return Err(TraceError::TooNew { line, found });
        }
        Ok(exchange)
    }

    /// Whether it was asked for this.
    pub(super) fn is_for(&self, purpose: Purpose) -> bool {
        self.purpose == purpose_wire(purpose)
    }

    /// What came of it.
    pub(super) fn pieces(&self) -> Pieces {
        let model = &self.model;
        let pieces = self.reply.iter();
        pieces.map(|event| piece_of(event, model)).collect()
    }
}

fn clean(text: &str) -> String {
    redact(text).into_owned()
}

fn purpose_wire(purpose: Purpose) -> PurposeWire {
    match purpose {
        Purpose::Chat => PurposeWire::Chat,
        Purpose::Flush => PurposeWire::Flush,
        Purpose::Summarise => PurposeWire::Summarise,
        Purpose::Consolidate => PurposeWire::Consolidate,
    }
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
        Block::ToolCall(call) => BlockWire::ToolCall(CallWire {
            arguments: clean(&call.arguments),
            ..call_wire(call)
        }),
        Block::Unknown { kind, .. } => BlockWire::Unknown(kind.clone()),
    }
}

fn call_wire(call: &ToolCall) -> CallWire {
    CallWire {
        id: call.id.as_str().to_owned(),
        name: call.name.clone(),
        arguments: call.arguments.clone(),
    }
}

impl EventWire {
    fn redact(&mut self) {
        match self {
            Self::Text(text)
            | Self::Thinking(text)
            | Self::ToolCall(CallWire {
                arguments: text, ..
            })
            | Self::Error(
                ErrorWire::Unavailable(text) | ErrorWire::Refused(text) | ErrorWire::Broken(text),
            ) => *text = clean(text),
            Self::Done { .. }
            | Self::Error(
                ErrorWire::ContextOverflow
                | ErrorWire::ContextOverflowOf { .. }
                | ErrorWire::RateLimited { .. },
            ) => {}
        }
    }
}

/// The piece as it is written; that something was sent again is no part of an exchange.
fn event_wire(piece: &Result<ReplyEvent, ModelError>) -> Option<EventWire> {
    Some(match piece {
        Ok(ReplyEvent::AskedAgain { .. } | ReplyEvent::FormRefused { .. }) => return None,
        Ok(ReplyEvent::Text(text)) => EventWire::Text(text.clone()),
        Ok(ReplyEvent::Thinking(text)) => EventWire::Thinking(text.clone()),
        Ok(ReplyEvent::ToolCall(call)) => EventWire::ToolCall(call_wire(call)),
        Ok(ReplyEvent::Done { stop, usage }) => EventWire::Done {
            stop: match stop {
                StopReason::Stop => StopWire::Stop,
                StopReason::Length => StopWire::Length,
                StopReason::ToolUse => StopWire::ToolUse,
                StopReason::Error => StopWire::Error,
                StopReason::Aborted => StopWire::Aborted,
            },
            usage: usage.map(|usage| UsageWire {
                input: usage.input.0,
                output: usage.output.0,
                cache_read: usage.cache_read.0,
                cache_write: usage.cache_write.0,
            }),
        },
        Err(error) => EventWire::Error(error_wire(error)),
    })
}

fn error_wire(error: &ModelError) -> ErrorWire {
    match error {
        ModelError::Unavailable { reason, .. } => ErrorWire::Unavailable(reason.clone()),
        ModelError::ContextOverflow { said, .. } if *said == SaidSizes::default() => {
            ErrorWire::ContextOverflow
        }
        ModelError::ContextOverflow { said, .. } => ErrorWire::ContextOverflowOf {
            window: said.window.map(|tokens| tokens.0),
            request: said.request.map(|tokens| tokens.0),
        },
        ModelError::RateLimited { retry_after, .. } => ErrorWire::RateLimited {
            retry_after_ms: retry_after
                .map(|wait| u64::try_from(wait.as_millis()).unwrap_or(u64::MAX)),
        },
        ModelError::Refused { reason, .. } => ErrorWire::Refused(reason.clone()),
        ModelError::Broken { reason, .. } => ErrorWire::Broken(reason.clone()),
        error => ErrorWire::Broken(error.to_string()),
    }
}

fn piece_of(event: &EventWire, model: &str) -> Result<ReplyEvent, ModelError> {
    Ok(match event {
        EventWire::Text(text) => ReplyEvent::Text(text.clone()),
        EventWire::Thinking(text) => ReplyEvent::Thinking(text.clone()),
        EventWire::ToolCall(call) => ReplyEvent::ToolCall(ToolCall {
            id: ToolCallId::new(call.id.as_str()),
            name: call.name.clone(),
            arguments: call.arguments.clone(),
        }),
        EventWire::Done { stop, usage } => ReplyEvent::Done {
            stop: match stop {
                StopWire::Stop => StopReason::Stop,
                StopWire::Length => StopReason::Length,
                StopWire::ToolUse => StopReason::ToolUse,
                StopWire::Error => StopReason::Error,
                StopWire::Aborted => StopReason::Aborted,
            },
            usage: usage.map(|usage| Usage {
                input: TokenCount(usage.input),
                output: TokenCount(usage.output),
                cache_read: TokenCount(usage.cache_read),
                cache_write: TokenCount(usage.cache_write),
                estimate: None,
            }),
        },
        EventWire::Error(error) => return Err(error_of(error, model.to_owned())),
    })
}

fn error_of(error: &ErrorWire, model: String) -> ModelError {
    match error {
        ErrorWire::Unavailable(reason) => ModelError::Unavailable {
            model,
            reason: reason.clone(),
        },
        ErrorWire::ContextOverflow => ModelError::ContextOverflow {
            model,
            said: SaidSizes::default(),
        },
        ErrorWire::ContextOverflowOf { window, request } => ModelError::ContextOverflow {
            model,
            said: SaidSizes {
                window: window.map(TokenCount),
                request: request.map(TokenCount),
            },
        },
        ErrorWire::RateLimited { retry_after_ms } => ModelError::RateLimited {
            model,
            retry_after: retry_after_ms.map(Duration::from_millis),
        },
        ErrorWire::Refused(reason) => ModelError::Refused {
            model,
            reason: reason.clone(),
        },
        ErrorWire::Broken(reason) => ModelError::Broken {
            model,
            reason: reason.clone(),
        },
    }
}
