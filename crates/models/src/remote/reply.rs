//! Turns the library's stream events into reply events.
//!
//! Does not wait itself.

use base::model::{ModelError, ReplyEvent, Request};
use base::{StopReason, TokenCount, ToolCall, Usage};
use genai::chat::{
    ChatResponse, ChatStreamEvent, MessageContent, StopReason as WireStop, StreamEnd,
    Usage as WireUsage,
};

use super::Dialect;
use super::calls::CallAssembler;
use super::form::RequestForm;
use super::limits::REPLY_BYTES_MAX;
use super::request::tool_of;

#[derive(Debug)]
pub(super) struct Assembler {
    dialect: Dialect,
    model: String,
    /// The tool whose arguments are the reply.
    tool: Option<&'static str>,
    calls: CallAssembler,
    has_said: bool,
    /// Bytes of text and reasoning so far.
    n_bytes: usize,
}

impl Assembler {
    pub(super) fn new(
        dialect: Dialect,
        model: &str,
        (request, form): (&Request, RequestForm),
    ) -> Self {
        Self {
            dialect,
            model: model.to_owned(),
            tool: tool_of(request, form),
            calls: CallAssembler::of_reply_to(request),
            has_said: false,
            n_bytes: 0,
        }
    }

    /// The reply events of one stream event; the end event yields all that is left.
    pub(super) fn take(&mut self, event: ChatStreamEvent) -> Result<Vec<ReplyEvent>, ModelError> {
        match event {
            ChatStreamEvent::Chunk(chunk) => {
                self.has_said = true;
                self.measure(&chunk.content)?;
                Ok(said(chunk.content, ReplyEvent::Text))
            }
            ChatStreamEvent::ReasoningChunk(chunk) => {
                self.measure(&chunk.content)?;
                Ok(said(chunk.content, ReplyEvent::Thinking))
            }
            ChatStreamEvent::ToolCallChunk(chunk) => {
                self.calls.take_piece(chunk.tool_call);
                self.within_bounds(self.n_bytes())?;
                Ok(Vec::new())
            }
            ChatStreamEvent::End(end) => self.end(end),
            ChatStreamEvent::Start
            | ChatStreamEvent::Heartbeat
            | ChatStreamEvent::ThoughtSignatureChunk(_) => Ok(Vec::new()),
        }
    }

    /// The size of the content so far: text, reasoning and calls.
    pub(super) fn n_bytes(&self) -> usize {
        self.n_bytes + self.calls.n_bytes()
    }

    fn measure(&mut self, more: &str) -> Result<(), ModelError> {
        self.n_bytes += more.len();
        self.within_bounds(self.n_bytes)
    }

    /// Stops an endless reply; what has arrived so far is kept.
    fn within_bounds(&self, n_bytes: usize) -> Result<(), ModelError> {
        if n_bytes <= REPLY_BYTES_MAX {
            return Ok(());
        }
        Err(self.broken(&format!("it is longer than {REPLY_BYTES_MAX} bytes")))
    }

    /// Whether the server may be unable to stream: a reply in one piece shows nothing in a stream.
    pub(super) fn may_not_stream(&self) -> bool {
        let has_one_piece = matches!(self.dialect, Dialect::OpenAi | Dialect::OpenAiCompatible);
        has_one_piece && !self.has_said && self.calls.is_empty()
    }

    /// The events of a reply in one piece; `None` if it is empty.
    pub(super) fn take_whole(&mut self, whole: ChatResponse) -> Option<Vec<ReplyEvent>> {
        let thoughts = whole.reasoning_content.map(ReplyEvent::Thinking);
        let text: String = whole.content.texts().concat();
        let mut events: Vec<ReplyEvent> = thoughts.into_iter().collect();
        self.has_said = !text.is_empty();
        if self.has_said {
            events.push(ReplyEvent::Text(text));
        }
        let end = StreamEnd {
            captured_usage: Some(whole.usage),
            captured_stop_reason: whole.stop_reason,
            captured_content: Some(whole.content),
            ..StreamEnd::default()
        };
        events.extend(self.end(end).ok()?);
        (events.len() > 1).then_some(events)
    }

    fn end(&mut self, end: StreamEnd) -> Result<Vec<ReplyEvent>, ModelError> {
        let reason = end.captured_stop_reason;
        if reason.is_none() && self.dialect.always_names_its_end() {
            return Err(self.broken("the connection closed early"));
        }
        let wire_calls = end.captured_content.map(MessageContent::into_tool_calls);
        let calls = std::mem::take(&mut self.calls).finish(wire_calls.unwrap_or_default());
        let is_reply = |call: &ToolCall| self.tool == Some(call.name.as_str());
        let (replies, calls): (Vec<_>, Vec<_>) = calls.into_iter().partition(is_reply);
        self.has_said |= !replies.is_empty();
        let has_calls = !calls.is_empty();
        let stop = match reason {
            Some(WireStop::MaxTokens(_)) => StopReason::Length,
            Some(WireStop::ContentFilter(why)) if !self.has_said && !has_calls => {
                return Err(ModelError::Refused {
                    model: self.model.clone(),
                    reason: format!("it withheld its reply ({why})"),
                });
            }
            Some(WireStop::ContentFilter(_)) => StopReason::Error,
            Some(WireStop::Other(why)) if is_failure(&why) => {
                return Err(self.broken(&format!("it ended with {why}")));
            }
            Some(WireStop::ToolCall(_)) if !self.has_said && !has_calls => {
                return Err(self.broken("it announced a tool call but made none"));
            }
            _ if has_calls => StopReason::ToolUse,
            _ => StopReason::Stop,
        };
        let usage = end.captured_usage.as_ref().and_then(usage);
        let replies = replies.into_iter();
        let replies = replies.map(|call| ReplyEvent::Text(call.arguments));
        let calls = calls.into_iter().map(ReplyEvent::ToolCall);
        let mut events: Vec<ReplyEvent> = replies.chain(calls).collect();
        events.push(ReplyEvent::Done { stop, usage });
        Ok(events)
    }

    pub(super) fn broken(&self, reason: &str) -> ModelError {
        ModelError::Broken {
            model: self.model.clone(),
            reason: reason.to_owned(),
        }
    }
}

/// The event of a piece; none if the piece is empty.
fn said(piece: String, event: fn(String) -> ReplyEvent) -> Vec<ReplyEvent> {
    let has_content = !piece.is_empty();
    Vec::from_iter(has_content.then(|| event(piece)))
}

/// Whether a stop reason means that the server could not finish the reply.
fn is_failure(reason: &str) -> bool {
    let reason = reason.to_ascii_lowercase();
    reason.contains("error") || reason.starts_with("malformed_")
}

/// The usage, with cached tokens separated; `None` if nothing was counted.
fn usage(counted: &WireUsage) -> Option<Usage> {
    if counted.prompt_tokens.is_none() && counted.completion_tokens.is_none() {
        return None;
    }
    let details = counted.prompt_tokens_details.as_ref();
    let cache_read = tokens(details.and_then(|details| details.cached_tokens));
    let cache_write = tokens(details.and_then(|details| details.cache_creation_tokens));
    Some(Usage {
        input: tokens(counted.prompt_tokens)
            .saturating_sub(cache_read)
            .saturating_sub(cache_write),
        output: tokens(counted.completion_tokens),
        cache_read,
        cache_write,
        // Filled in by the sender of the request.
        estimate: None,
    })
}

fn tokens(count: Option<i32>) -> TokenCount {
    let count = count.and_then(|count| u64::try_from(count).ok());
    TokenCount(count.unwrap_or(0))
}
