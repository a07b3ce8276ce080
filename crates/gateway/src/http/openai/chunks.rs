//! Streams a reply as server-sent events.
//!
//! Ends with `[DONE]`, even after an error.

use std::convert::Infallible;

use axum::response::sse::Event as SseEvent;
use base::model::ToolSpec;
use base::{Assistant, TokenCount};
use futures_util::stream::iter;
use futures_util::{Stream, StreamExt};
use serde_json::{Value, json};

use super::reply_wire::{WireUsage, calls_of, finish_reason};
use super::running::{ReplyPiece, RunningTurn, pieces};
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
    pub(super) stamp: ChunkStamp,
    pub(super) tools: Vec<ToolSpec>,
    pub(super) prompt: TokenCount,
    pub(super) tells_usage: bool,
}

impl Chunks {
    /// The events of a turn whose first piece has arrived.
    pub(super) fn stream(
        self,
        first: ReplyPiece,
        running: RunningTurn,
    ) -> impl Stream<Item = Result<SseEvent, Infallible>> {
        let opening = self.chunk(&json!({ "role": "assistant", "content": "" }), None);
        let rest = pieces(first, running).flat_map(move |piece| iter(self.of(piece)));
        let chunks = iter([opening]).chain(rest);
        chunks.map(|data| Ok(SseEvent::default().data(data)))
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
