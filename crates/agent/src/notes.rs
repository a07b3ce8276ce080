//! Asks for the notes of a span, of one engine after the other.
//!
//! Writes nothing, and never shows an engine more than its window takes.

use base::model::{Excerpt, complete};
use base::{Message, StopReason};
use compaction::{AsOf, FlushMode, FlushNotes, flush_request, parse_flush_reply};

use crate::Runtime;

/// Notes on this evidence by the first engine that gives usable ones; else why none did.
pub(crate) async fn notes(
    runtime: &Runtime,
    excerpts: Vec<Excerpt>,
    mode: FlushMode,
    as_of: AsOf,
) -> Result<FlushNotes, String> {
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
