//! Answers requests without a model, from their excerpts.
//!
//! Never reads the prose of the messages, but for what the owner said last.

use base::model::{
    Model, ModelError, ModelProfile, OFFLINE, Purpose, ReplyEvent, ReplyStream, Request,
};
use base::{StopReason, Tz};
use futures_util::StreamExt;
use futures_util::stream;

use super::answer::answer;
use super::candidates::candidates;
use super::evidence::read;
use super::notes::notes;
use super::summary::summary;

/// Answers, writes notes and summaries by extraction, with no key and no network.
#[derive(Debug, Clone)]
pub struct OfflineEngine {
    timezone: Tz,
}

impl OfflineEngine {
    /// An engine that tells days in the owner's time zone.
    pub fn new(timezone: Tz) -> Self {
        Self { timezone }
    }

    /// The whole reply.
    fn reply(&self, request: &Request) -> Result<String, ModelError> {
        let refused = |reason: &str| {
            Err(ModelError::Refused {
                model: OFFLINE.into(),
                reason: reason.into(),
            })
        };
        match request.purpose {
            Purpose::Flush => {
                let evidence = read(&request.excerpts, self.timezone);
                Ok(notes(&evidence, &request.excerpts, request.output_max))
            }
            Purpose::Summarise => {
                let evidence = read(&request.excerpts, self.timezone);
                let summary = summary(&evidence, request.output_max);
                if summary.is_empty() {
                    return refused("the offline engine found nothing to summarise");
                }
                Ok(summary)
            }
            Purpose::Chat => Ok(answer(request)),
            Purpose::Consolidate => Ok(candidates(request, self.timezone)),
        }
    }
}

impl Model for OfflineEngine {
    fn profile(&self) -> ModelProfile {
        ModelProfile {
            name: OFFLINE.into(),
            context_window: None,
            concurrency: usize::MAX,
        }
    }

    fn stream<'a>(&'a self, request: &'a Request) -> ReplyStream<'a> {
        let events = stream::once(async move { self.reply(request) });
        events.flat_map(|reply| stream::iter(pieces(reply))).boxed()
    }
}

/// A reply in the pieces in which it is streamed: one a section, of an answer one a quotation.
fn pieces(reply: Result<String, ModelError>) -> Vec<Result<ReplyEvent, ModelError>> {
    let text = match reply {
        Ok(text) => text,
        Err(error) => return vec![Err(error)],
    };
    let opening = if text.contains("## ") { "## " } else { "- " };
    let mut pieces: Vec<String> = Vec::new();
    for line in text.split_inclusive('\n') {
        match pieces.last_mut() {
            Some(piece) if !line.starts_with(opening) => piece.push_str(line),
            _ => pieces.push(line.to_owned()),
        }
    }
    let done = ReplyEvent::Done {
        stop: StopReason::Stop,
        usage: None,
    };
    let events = pieces.into_iter().map(ReplyEvent::Text).chain([done]);
    events.map(Ok).collect()
}

#[cfg(test)]
#[path = "engine_tests.rs"]
mod tests;
