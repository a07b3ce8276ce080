//! The tool calls of a reply, as they were written and under ids of their own.
//!
//! Judges no arguments: what is malformed stays as the model wrote it.

use std::collections::HashSet;

use base::model::Request;
use base::{Message, ToolCall, ToolCallId};
use genai::chat::ToolCall as WireCall;
use serde_json::Value;

/// Collects the calls of one reply.
#[derive(Debug, Default)]
pub(super) struct Calls {
    /// Ids that name a call already.
    taken: HashSet<String>,
    /// The newest piece of each call, in the order of their beginnings.
    pieces: Vec<WireCall>,
}

impl Calls {
    /// Begins a reply to a request, whose calls have their ids already.
    pub(super) fn of_reply_to(request: &Request) -> Self {
        let calls = request.messages.iter().flat_map(Message::tool_calls);
        Self {
            taken: calls.map(|call| call.id.as_str().to_owned()).collect(),
            pieces: Vec::new(),
        }
    }

    /// Whether no piece of a call came.
    pub(super) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Bytes of the arguments that came as text.
    pub(super) fn n_bytes(&self) -> usize {
        let texts = self
            .pieces
            .iter()
            .filter_map(|piece| piece.fn_arguments.as_str());
        texts.map(str::len).sum()
    }

    /// Takes a piece, which holds all of its call that came so far.
    pub(super) fn take_piece(&mut self, piece: WireCall) {
        let known = self
            .pieces
            .iter_mut()
            .find(|known| known.call_id == piece.call_id && known.fn_name == piece.fn_name);
        match known {
            Some(known) => *known = piece,
            None => self.pieces.push(piece),
        }
    }

    /// The calls, once the reply has ended with these.
    pub(super) fn finish(mut self, ended_with: Vec<WireCall>) -> Vec<ToolCall> {
        let mut calls = Vec::new();
        let mut wire_ids = HashSet::new();
        for call in ended_with {
            let arguments = self.as_written(&call);
            // Where a server counts calls from one, the library repeats the first.
            if !wire_ids.insert((
                call.call_id.clone(),
                call.fn_name.clone(),
                arguments.clone(),
            )) {
                continue;
            }
            calls.push(ToolCall {
                id: self.own_id(&call.call_id),
                name: call.fn_name,
                arguments,
            });
        }
        calls
    }

    /// The text that the model wrote, where it came as text; the library reads it and keeps the value.
    fn as_written(&self, call: &WireCall) -> String {
        let mut pieces = self
            .pieces
            .iter()
            .filter(|piece| piece.call_id == call.call_id && piece.fn_name == call.fn_name);
        match (
            pieces.next().map(|piece| &piece.fn_arguments),
            &call.fn_arguments,
        ) {
            (Some(Value::String(text)), _) if is_written_form(text, &call.fn_arguments) => {
                text.clone()
            }
            (_, Value::String(text)) => text.clone(),
            (_, Value::Null) => "{}".to_owned(),
            (_, value) => value.to_string(),
        }
    }

    /// An id that no other call of the conversation has: some servers count anew in each reply, some name
    /// none at all.
    fn own_id(&mut self, id: &str) -> ToolCallId {
        let stem = if id.is_empty() { "call" } else { id };
        let numbered = (2_u32..).map(|number| format!("{stem}_{number}"));
        let mut candidates = std::iter::once(stem.to_owned()).chain(numbered);
        let own = candidates.find(|candidate| !self.taken.contains(candidate));
        let own = own.unwrap_or_else(|| stem.to_owned());
        self.taken.insert(own.clone());
        ToolCallId::new(own)
    }
}

/// Whether the library read this very text into this value.
fn is_written_form(text: &str, value: &Value) -> bool {
    match serde_json::from_str::<Value>(text) {
        Ok(read) => read == *value,
        Err(_) => value.as_str() == Some(text),
    }
}
