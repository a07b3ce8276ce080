//! Collects the tool calls of a reply, verbatim and with unique ids.
//!
//! Never validates arguments: malformed ones stay as the model wrote them.

use std::collections::{HashMap, HashSet};

use base::model::Request;
use base::{Message, ToolCall, ToolCallId};
use genai::chat::ToolCall as WireCall;
use serde_json::Value;

/// Collects the calls of one reply.
#[derive(Debug, Default)]
pub(super) struct CallAssembler {
    /// Ids already in use.
    taken: HashSet<String>,
    /// The newest piece of each call, in the order in which the calls began.
    pieces: Vec<WireCall>,
    /// Index into `pieces`, by id and name of the call.
    places: HashMap<(String, String), usize>,
    n_bytes: usize,
}

/// Bytes counted per call on top of its text, so that calls without arguments are bounded as well.
const CALL_BYTES: usize = 1024;

fn n_bytes(piece: &WireCall) -> usize {
    let arguments = piece.fn_arguments.as_str().map_or(0, str::len);
    CALL_BYTES + piece.call_id.len() + piece.fn_name.len() + arguments
}

impl CallAssembler {
    /// Starts a reply to a request; the ids of its calls are taken.
    pub(super) fn of_reply_to(request: &Request) -> Self {
        let calls = request.messages.iter().flat_map(Message::tool_calls);
        Self {
            taken: calls.map(|call| call.id.as_str().to_owned()).collect(),
            ..Self::default()
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The size of the calls: ids, names, text arguments, and [`CALL_BYTES`] each.
    pub(super) fn n_bytes(&self) -> usize {
        self.n_bytes
    }

    /// Takes a piece, which contains everything of its call so far.
    pub(super) fn take_piece(&mut self, piece: WireCall) {
        self.n_bytes += n_bytes(&piece);
        let call = (piece.call_id.clone(), piece.fn_name.clone());
        let place = *self.places.entry(call).or_insert(self.pieces.len());
        match self.pieces.get_mut(place) {
            Some(known) => self.n_bytes -= n_bytes(&std::mem::replace(known, piece)),
            None => self.pieces.push(piece),
        }
    }

    /// The final calls, from those in the end event.
    pub(super) fn finish(mut self, ended_with: Vec<WireCall>) -> Vec<ToolCall> {
        let mut calls = Vec::new();
        let mut wire_ids = HashSet::new();
        for call in ended_with {
            let arguments = self.as_written(&call);
            let (wire_id, name) = (call.call_id, call.fn_name);
            // If a server counts calls from one, the library repeats the first.
            if wire_ids.insert((wire_id.clone(), name.clone(), arguments.clone())) {
                let id = self.own_id(&wire_id);
                calls.push(ToolCall {
                    id,
                    name,
                    arguments,
                });
            }
        }
        calls
    }

    /// The arguments as the model wrote them, if they came as text; the library keeps only the parsed value.
    fn as_written(&self, call: &WireCall) -> String {
        let is_of = |it: &&WireCall| it.call_id == call.call_id && it.fn_name == call.fn_name;
        let piece = self.pieces.iter().find(is_of);
        match (piece.map(|it| &it.fn_arguments), &call.fn_arguments) {
            (Some(Value::String(text)), value) if is_written_form(text, value) => text.clone(),
            (_, Value::String(text)) => text.clone(),
            (_, Value::Null) => "{}".to_owned(),
            (_, value) => value.to_string(),
        }
    }

    /// An id unique in the conversation: some servers restart their numbering in each reply, and some send no ids.
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

/// Whether the library parsed this text into this value.
fn is_written_form(text: &str, value: &Value) -> bool {
    match serde_json::from_str::<Value>(text) {
        Ok(read) => read == *value,
        Err(_) => value.as_str() == Some(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(id: &str, name: &str, arguments: &str) -> WireCall {
        WireCall {
            call_id: id.to_owned(),
            fn_name: name.to_owned(),
            fn_arguments: Value::String(arguments.to_owned()),
            thought_signatures: None,
        }
    }

    #[test]
    fn call_assembler_counts_names_and_longest_piece_once() {
        let mut calls = CallAssembler::default();
        for id in 0..100 {
            calls.take_piece(piece(&id.to_string(), "look", ""));
        }
        let n_bytes = calls.n_bytes();
        assert!(n_bytes >= 100 * ("look".len() + CALL_BYTES), "{n_bytes}");
        calls.take_piece(piece("7", "look", "{\"a\":"));
        calls.take_piece(piece("7", "look", "{\"a\":1}"));
        assert_eq!(calls.n_bytes(), n_bytes + "{\"a\":1}".len());
    }
}
