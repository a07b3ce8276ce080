//! A reply in the form of `/v1/responses`, whole or as events.
//!
//! Decides nothing about a turn.

use std::convert::Infallible;

use axum::response::sse::Event as SseEvent;
use base::model::ToolSpec;
use base::{Assistant, StopReason, TokenCount};
use futures_util::stream::iter;
use futures_util::{Stream, StreamExt};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::reply_wire::{WireUsage, calls_of};
use super::running::{ReplyPiece, RunningTurn, pieces};
use super::wire::WireCall;
use crate::http::access::random_hex;
use crate::http::error::HttpError;
use crate::http::state::HttpState;

/// What all events of a response share.
#[derive(Debug, Clone)]
pub(super) struct ResponseStamp {
    random: String,
    created: i64,
    model: String,
}

impl ResponseStamp {
    pub(super) fn new(state: &HttpState, model: String) -> Result<Self, HttpError> {
        Ok(Self {
            random: random_hex()?.get(..24).unwrap_or_default().to_owned(),
            created: state.clock().now().timestamp(),
            model,
        })
    }

    fn message_id(&self) -> String {
        format!("msg_{}", self.random)
    }
}

/// A whole response.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ResponseBody {
    id: String,
    #[schemars(example = &"response")]
    object: &'static str,
    created_at: i64,
    #[schemars(example = &"completed")]
    status: &'static str,
    model: String,
    /// The message and the calls of the client's functions.
    #[schemars(with = "Vec<Map<String, Value>>")]
    output: Vec<Value>,
    #[schemars(with = "Option<Map<String, Value>>")]
    error: Option<Value>,
    #[schemars(with = "Option<Map<String, Value>>")]
    incomplete_details: Option<Value>,
    instructions: Option<String>,
    #[schemars(with = "Map<String, Value>")]
    metadata: Value,
    parallel_tool_calls: bool,
    tool_choice: &'static str,
    #[schemars(with = "Vec<Map<String, Value>>")]
    tools: Vec<Value>,
    temperature: Option<f64>,
    top_p: Option<f64>,
    #[schemars(with = "Option<Map<String, Value>>")]
    usage: Option<Value>,
}

impl ResponseBody {
    fn begun(stamp: &ResponseStamp) -> Self {
        Self {
            id: format!("resp_{}", stamp.random),
            object: "response",
            created_at: stamp.created,
            status: "in_progress",
            model: stamp.model.clone(),
            output: Vec::new(),
            error: None,
            incomplete_details: None,
            instructions: None,
            metadata: json!({}),
            parallel_tool_calls: true,
            tool_choice: "auto",
            tools: Vec::new(),
            temperature: None,
            top_p: None,
            usage: None,
        }
    }

    pub(super) fn whole(
        stamp: &ResponseStamp,
        text: &str,
        (reply, tools): (&Assistant, &[ToolSpec]),
        prompt: TokenCount,
    ) -> Self {
        let calls = calls_of(reply, tools);
        let mut output = Vec::new();
        if !text.is_empty() || calls.is_empty() {
            output.push(message(stamp, "completed", Some(text)));
        }
        output.extend(calls.iter().map(|call| function_call(call, "completed")));
        let is_cut = reply.stop == StopReason::Length;
        Self {
            status: if is_cut { "incomplete" } else { "completed" },
            incomplete_details: is_cut.then(|| json!({ "reason": "max_output_tokens" })),
            output,
            usage: Some(WireUsage::of(reply, prompt).of_response()),
            ..Self::begun(stamp)
        }
    }
}

fn message(stamp: &ResponseStamp, status: &str, text: Option<&str>) -> Value {
    let content: Vec<Value> = text.into_iter().map(text_part).collect();
    json!({
        "type": "message", "id": stamp.message_id(), "status": status, "role": "assistant",
        "content": content,
    })
}

fn text_part(text: &str) -> Value {
    json!({ "type": "output_text", "text": text, "annotations": [] })
}

fn function_call(call: &WireCall, status: &str) -> Value {
    json!({
        "type": "function_call", "id": format!("fc_{}", call.id), "call_id": call.id,
        "name": call.function.name, "arguments": call.function.arguments, "status": status,
    })
}

/// Renders the events of a response.
pub(super) struct ResponseStream {
    stamp: ResponseStamp,
    tools: Vec<ToolSpec>,
    prompt: TokenCount,
    /// The text so far; `None` before its first words.
    text: Option<String>,
    n_events: u64,
}

impl ResponseStream {
    pub(super) fn new(stamp: ResponseStamp, tools: Vec<ToolSpec>, prompt: TokenCount) -> Self {
        Self {
            stamp,
            tools,
            prompt,
            text: None,
            n_events: 0,
        }
    }

    /// The events of a turn whose first piece has arrived.
    pub(super) fn events(
        mut self,
        first: ReplyPiece,
        running: RunningTurn,
    ) -> impl Stream<Item = Result<SseEvent, Infallible>> {
        let begun = json!(ResponseBody::begun(&self.stamp));
        let opening = ["response.created", "response.in_progress"]
            .map(|kind| self.event(kind, json!({ "response": begun })));
        let rest = pieces(first, running).flat_map(move |piece| iter(self.of(piece)));
        iter(opening).chain(rest).map(Ok)
    }

    fn of(&mut self, piece: Option<ReplyPiece>) -> Vec<SseEvent> {
        match piece {
            Some(ReplyPiece::Words(words)) => self.words(&words),
            Some(ReplyPiece::End(end)) => match *end {
                Ok(reply) => self.end(&reply),
                Err(error) => vec![self.failed(&error)],
            },
            None => Vec::new(),
        }
    }

    fn words(&mut self, words: &str) -> Vec<SseEvent> {
        let mut events = Vec::new();
        if self.text.is_none() {
            events.extend(self.begin_message());
        }
        self.text.get_or_insert_default().push_str(words);
        let delta = self.in_text(json!({ "delta": words, "logprobs": [] }));
        events.push(self.event("response.output_text.delta", delta));
        events
    }

    fn begin_message(&mut self) -> [SseEvent; 2] {
        let item = message(&self.stamp, "in_progress", None);
        let part = self.in_text(json!({ "part": text_part("") }));
        [
            self.event(
                "response.output_item.added",
                json!({ "output_index": 0, "item": item }),
            ),
            self.event("response.content_part.added", part),
        ]
    }

    fn end(&mut self, reply: &Assistant) -> Vec<SseEvent> {
        let calls = calls_of(reply, &self.tools);
        let mut events = Vec::new();
        if self.text.is_none() && calls.is_empty() {
            events.extend(self.begin_message());
            self.text = Some(String::new());
        }
        let text = self.text.clone();
        if let Some(text) = &text {
            let done = self.in_text(json!({ "text": text, "logprobs": [] }));
            events.push(self.event("response.output_text.done", done));
            let done = self.in_text(json!({ "part": text_part(text) }));
            events.push(self.event("response.content_part.done", done));
            let item = message(&self.stamp, "completed", Some(text));
            let done = json!({ "output_index": 0, "item": item });
            events.push(self.event("response.output_item.done", done));
        }
        for (at, call) in calls.iter().enumerate() {
            let at = at + usize::from(text.is_some());
            let added = function_call(call, "in_progress");
            let added = json!({ "output_index": at, "item": added });
            events.push(self.event("response.output_item.added", added));
            let arguments = json!({
                "output_index": at, "item_id": format!("fc_{}", call.id), "name": call.function.name,
                "arguments": call.function.arguments,
            });
            events.push(self.event("response.function_call_arguments.done", arguments));
            let done = json!({ "output_index": at, "item": function_call(call, "completed") });
            events.push(self.event("response.output_item.done", done));
        }
        let text = text.unwrap_or_default();
        let whole = ResponseBody::whole(&self.stamp, &text, (reply, &self.tools), self.prompt);
        let kind = format!("response.{}", whole.status);
        events.push(self.event(&kind, json!({ "response": whole })));
        events
    }

    fn failed(&mut self, error: &HttpError) -> SseEvent {
        let body = json!(error.body());
        let message = body.pointer("/error/message");
        let failed = ResponseBody {
            status: "failed",
            error: Some(json!({ "code": "server_error", "message": message })),
            ..ResponseBody::begun(&self.stamp)
        };
        self.event("response.failed", json!({ "response": failed }))
    }

    /// Fields of an event about the text of the message.
    fn in_text(&self, fields: Value) -> Value {
        let place = json!({
            "item_id": self.stamp.message_id(), "output_index": 0, "content_index": 0,
        });
        joined(fields, place)
    }

    fn event(&mut self, kind: &str, fields: Value) -> SseEvent {
        let head = json!({ "type": kind, "sequence_number": self.n_events });
        self.n_events += 1;
        let data = joined(head, fields).to_string();
        SseEvent::default().event(kind).data(data)
    }
}

/// The fields of both objects.
fn joined(mut one: Value, other: Value) -> Value {
    if let (Some(fields), Value::Object(more)) = (one.as_object_mut(), other) {
        fields.extend(more);
    }
    one
}
