//! Streams a reply as server-sent events.
//!
//! Ends with `[DONE]`, even after an error.

use std::collections::VecDeque;
use std::convert::Infallible;

use axum::response::sse::Event as SseEvent;
use base::model::ToolSpec;
use base::{Assistant, TokenCount};
use futures_util::Stream;
use futures_util::stream::unfold;
use serde_json::{Value, json};

use super::running::{ReplyPiece, RunningTurn};
use super::wire::{WireUsage, calls_of, finish_reason};
use crate::http::access::random_hex;
use crate::http::error::HttpError;
use crate::http::state::HttpState;

const DONE: &str = "[DONE]";

/// The fields that all chunks of a reply share.
pub(super) struct ChunkStamp {
    pub(super) id: String,
    pub(super) created: i64,
    pub(super) model: String,
}

impl ChunkStamp {
    pub(super) fn new(state: &HttpState, model: String) -> Result<Self, HttpError> {
        let random = random_hex()?;
        Ok(Self {
            id: format!("chatcmpl-{}", random.get(..24).unwrap_or_default()),
            created: state.clock().now().timestamp(),
            model,
        })
    }
}

/// Renders the chunks of a reply.
pub(super) struct Chunks {
    stamp: ChunkStamp,
    tools: Vec<ToolSpec>,
    prompt: TokenCount,
    tells_usage: bool,
}

impl Chunks {
    pub(super) fn new(
        stamp: ChunkStamp,
        tools: Vec<ToolSpec>,
        (prompt, tells_usage): (TokenCount, bool),
    ) -> Self {
        Self {
            stamp,
            tools,
            prompt,
            tells_usage,
        }
    }

    /// The events of a turn whose first piece has arrived.
    pub(super) fn stream(
        self,
        first: ReplyPiece,
        running: RunningTurn,
    ) -> impl Stream<Item = Result<SseEvent, Infallible>> {
        let opening = self.chunk(&json!({ "role": "assistant", "content": "" }), None);
        let streaming = Streaming {
            waiting: VecDeque::from([opening]),
            first: Some(first),
            is_over: false,
            chunks: self,
            running,
        };
        unfold(streaming, |mut streaming| async move {
            let data = streaming.next().await?;
            Some((Ok(SseEvent::default().data(data)), streaming))
        })
    }

    fn of(&self, piece: Option<ReplyPiece>) -> Vec<String> {
        match piece {
            Some(ReplyPiece::Words(words)) => vec![self.chunk(&json!({ "content": words }), None)],
            Some(ReplyPiece::End(end)) => match *end {
                Ok(reply) => self.end(&reply),
                Err(error) => vec![json!(error.body()).to_string(), DONE.to_owned()],
            },
            None => vec![DONE.to_owned()],
        }
    }

    fn end(&self, reply: &Assistant) -> Vec<String> {
        let calls = calls_of(reply, &self.tools);
        let mut chunks = Vec::new();
        for (index, call) in calls.iter().enumerate() {
            let mut call = json!(call);
            if let Some(call) = call.as_object_mut() {
                call.insert("index".to_owned(), json!(index));
            }
            chunks.push(self.chunk(&json!({ "tool_calls": [call] }), None));
        }
        chunks.push(self.chunk(&json!({}), Some(finish_reason(reply, &calls))));
        if self.tells_usage {
            let told = json!(WireUsage::of(reply, self.prompt));
            chunks.push(self.shaped(&json!([]), Some(&told)));
        }
        chunks.push(DONE.to_owned());
        chunks
    }

    fn chunk(&self, delta: &Value, finish_reason: Option<&str>) -> String {
        let choice = json!({
            "index": 0, "delta": delta, "logprobs": null, "finish_reason": finish_reason,
        });
        self.shaped(&json!([choice]), None)
    }

    fn shaped(&self, choices: &Value, usage: Option<&Value>) -> String {
        let mut chunk = json!({
            "id": self.stamp.id,
            "object": "chat.completion.chunk",
            "created": self.stamp.created,
            "model": self.stamp.model,
            "choices": choices,
        });
        if let (Some(usage), Some(chunk)) = (usage, chunk.as_object_mut()) {
            chunk.insert("usage".to_owned(), usage.clone());
        }
        chunk.to_string()
    }
}

/// A stream under way.
struct Streaming {
    chunks: Chunks,
    running: RunningTurn,
    /// Chunks to send next.
    waiting: VecDeque<String>,
    first: Option<ReplyPiece>,
    is_over: bool,
}

impl Streaming {
    async fn next(&mut self) -> Option<String> {
        while self.waiting.is_empty() && !self.is_over {
            let piece = match self.first.take() {
                Some(first) => Some(first),
                None => self.running.pieces.recv().await,
            };
            self.is_over = !matches!(piece, Some(ReplyPiece::Words(_)));
            self.waiting.extend(self.chunks.of(piece));
        }
        self.waiting.pop_front()
    }
}
