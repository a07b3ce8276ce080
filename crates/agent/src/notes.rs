//! Asks for the notes of a span, of one engine after the other.
//!
//! Writes nothing, and never shows an engine more than its window takes.

use base::model::{Excerpt, complete};
use base::{Message, Origin, StopReason};
use compaction::{AsOf, FlushMode, FlushNotes, flush_request, parse_flush_reply};
use session::{Entry, Payload};

use crate::Runtime;

/// Notes on these entries by the first engine that gives usable ones; else why none did.
pub(crate) async fn notes(
    runtime: &Runtime,
    entries: &[Entry],
    mode: FlushMode,
    as_of: AsOf,
) -> Result<FlushNotes, String> {
    let excerpts = excerpts(entries);
    let mut failures = Vec::new();
    for model in runtime.models.ladder() {
        let window = runtime.window_of(&**model);
        let request = flush_request(excerpts.clone(), mode, as_of, window);
        let reply = match complete(&**model, &request).await {
            Ok(reply) if reply.stop == StopReason::Aborted => Err("it was broken off".to_owned()),
            Ok(reply) => Ok(Message::Assistant(reply).text()),
            Err(error) => Err(error.to_string()),
        };
        let parsed = reply.and_then(|text| {
            parse_flush_reply(&text, &request.excerpts).map_err(|error| error.to_string())
        });
        match parsed {
            Ok(notes) => return Ok(notes),
            Err(reason) => failures.push(format!("{}: {reason}", model.profile().name)),
        }
    }
    Err(failures.join("; "))
}

/// The messages of a span as evidence, labelled `e1`, `e2` and so on.
fn excerpts(entries: &[Entry]) -> Vec<Excerpt> {
    let messages = entries.iter().filter_map(|entry| match &entry.payload {
        Payload::Message(stored) => {
            let origin = stored.origin.unwrap_or(origin_by_role(&stored.message));
            Some((entry, origin, stored.message.clone()))
        }
        Payload::CustomMessage(custom) => {
            let message = Message::User {
                content: custom.content.clone(),
                name: None,
            };
            Some((entry, Origin::Untrusted, message))
        }
        Payload::Compaction(_)
        | Payload::Meta(_)
        | Payload::Reset(_)
        | Payload::Rewind(_)
        | Payload::BranchSummary(_)
        | Payload::Other { .. } => None,
    });
    messages
        .zip(1_u64..)
        .map(|((entry, origin, message), number)| Excerpt {
            label: format!("e{number}"),
            entry: Some(entry.id.clone()),
            at: entry.at,
            origin,
            message,
        })
        .collect()
}

/// A line of another program does not say who is answerable, and so proves no owner; the view that a
/// window has of it reads it likewise.
fn origin_by_role(message: &Message) -> Origin {
    match message {
        Message::Assistant(_) => Origin::Agent,
        Message::User { .. } | Message::ToolResult(_) => Origin::Untrusted,
    }
}
