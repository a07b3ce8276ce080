//! `/v1/chat/completions`: runs one turn, and sends its reply whole or as a stream.
//!
//! Stores nothing itself.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use base::model::ToolSpec;
use base::{Assistant, TokenCount, estimate_message};

use super::chunks::{ChunkStamp, Chunks};
use super::reply_wire::{
    ChatCompletion, ReplyChoice, ReplyMessage, WireUsage, calls_of, finish_reason,
};
use super::running::{ReplyPiece, RunningTurn, begin};
use super::wire::{ChatRequest, Role};
use crate::http::body::JsonBody;
use crate::http::error::HttpError;
use crate::http::state::HttpState;

/// Keep-alive interval of a stream while a model thinks or older messages are summarised.
pub(super) const LIFE_SIGN_EVERY: Duration = Duration::from_secs(10);

/// Replies to a conversation.
pub(crate) async fn complete(
    State(state): State<Arc<HttpState>>,
    headers: HeaderMap,
    JsonBody(request): JsonBody<ChatRequest>,
) -> Result<Response, HttpError> {
    let conversation = Arc::new(request.to_conversation()?);
    refuse_json_offline(&state, &request)?;
    let prompt = conversation.messages.iter().map(estimate_message).sum();
    let tools = conversation.tools.clone();
    let stamp = ChunkStamp::new(&state, request.model.clone())?;
    let mut running = begin(&state, (&headers, &request), conversation).await?;
    let first = first_piece(&mut running).await?;
    if request.stream == Some(true) {
        let chunks = Chunks {
            stamp,
            tools,
            prompt,
            tells_usage: request.tells_usage(),
        };
        let alive = KeepAlive::new().interval(LIFE_SIGN_EVERY);
        return Ok(Sse::new(chunks.stream(first, running))
            .keep_alive(alive)
            .into_response());
    }
    let (text, reply) = whole_reply(first, &mut running).await?;
    Ok(Json(whole(stamp, text, (&reply, &tools), prompt)).into_response())
}

/// Refuses a request for JSON that no model would answer.
pub(super) fn refuse_json_offline(
    state: &HttpState,
    request: &ChatRequest,
) -> Result<(), HttpError> {
    if request.wants_json() && state.runtime.engine.models.is_offline() {
        let why = "no model is set, and offline replies only quote notes and sessions";
        return Err(HttpError::cannot_meet("response_format", why));
    }
    Ok(())
}

/// Waits for the first piece: a failure before it can still set the status.
pub(super) async fn first_piece(running: &mut RunningTurn) -> Result<ReplyPiece, HttpError> {
    match running.recv().await {
        Some(ReplyPiece::End(end)) => Ok(ReplyPiece::End(Box::new(Ok((*end)?)))),
        Some(words) => Ok(words),
        None => Err(HttpError::internal("the turn ended without a reply")),
    }
}

/// The text of a reply, and the reply.
pub(super) async fn whole_reply(
    first: ReplyPiece,
    running: &mut RunningTurn,
) -> Result<(String, Assistant), HttpError> {
    let mut text = String::new();
    let mut next = Some(first);
    loop {
        match next {
            Some(ReplyPiece::Words(words)) => text.push_str(&words),
            Some(ReplyPiece::End(end)) => return Ok((text, (*end)?)),
            None => {
                return Err(HttpError::internal(
                    "the turn ended before its reply was complete",
                ));
            }
        }
        next = running.recv().await;
    }
}

fn whole(
    stamp: ChunkStamp,
    text: String,
    (reply, tools): (&Assistant, &[ToolSpec]),
    prompt: TokenCount,
) -> ChatCompletion {
    let tool_calls = calls_of(reply, tools);
    let finish_reason = finish_reason(reply, &tool_calls);
    let has_content = !text.is_empty() || tool_calls.is_empty();
    ChatCompletion {
        id: stamp.id,
        object: "chat.completion",
        created: stamp.created,
        model: stamp.model,
        choices: vec![ReplyChoice {
            index: 0,
            message: ReplyMessage {
                role: Role::Assistant,
                content: has_content.then_some(text),
                refusal: None,
                tool_calls,
            },
            logprobs: None,
            finish_reason,
        }],
        usage: WireUsage::of(reply, prompt),
    }
}
