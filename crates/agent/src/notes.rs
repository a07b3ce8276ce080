//! Asks for the notes of a span, of one engine after the other.
//!
//! Writes nothing, and never shows an engine more than its window takes.

use base::model::{Excerpt, Model, complete};
use base::{Message, StopReason};
use compaction::{AsOf, FlushMode, FlushNotes, flush_request, parse_flush_reply};

use crate::summarise::{Engines, Writers};

/// What notes are made from, frozen: a job may hold it while the chat goes on.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NotesBrief {
    /// What was said.
    pub(crate) excerpts: Vec<Excerpt>,
    /// Why it is written down.
    pub(crate) mode: FlushMode,
    /// The moment on the owner's clock.
    pub(crate) as_of: AsOf,
}

/// Notes on this evidence by the first engine that gives usable ones; else why none did.
pub(crate) async fn notes(
    brief: &NotesBrief,
    writers: &Writers,
    engines: Engines,
) -> Result<FlushNotes, String> {
    if brief.excerpts.is_empty() {
        return Ok(FlushNotes::default());
    }
    let mut failures = Vec::new();
    for model in writers.ladder(engines) {
        match notes_of(brief, writers, &**model).await {
            Ok(notes) => return Ok(notes),
            Err(reason) => failures.push(format!("{}: {reason}", model.profile().name)),
        }
    }
    Err(failures.join("; "))
}

async fn notes_of(
    brief: &NotesBrief,
    writers: &Writers,
    model: &dyn Model,
) -> Result<FlushNotes, String> {
    let window = writers.window_of(model);
    let request = flush_request(brief.excerpts.clone(), brief.mode, brief.as_of, window);
    let reply = writers.patience().wait(complete(model, &request)).await?;
    let reply = reply.map_err(|error| error.to_string())?;
    // Half a reply is no reply: what it left out would count as written down.
    match reply.stop {
        StopReason::Stop | StopReason::ToolUse => {}
        StopReason::Length => return Err("it was cut at its length limit".to_owned()),
        StopReason::Error | StopReason::Aborted => return Err("it was broken off".to_owned()),
    }
    let text = Message::Assistant(reply).text();
    parse_flush_reply(&text, &request.excerpts).map_err(|error| error.to_string())
}
