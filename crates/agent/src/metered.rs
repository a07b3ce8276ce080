//! A model whose work beside the conversation is entered in the ledger: notes, summaries, dreams.
//!
//! Refuses nothing and changes no reply.

use std::sync::Arc;

use base::model::{Model, ModelError, ModelProfile, Purpose, ReplyEvent, ReplyStream, Request};
use base::{Clock, TokenCount, Tz, Usage, day, estimate_message, estimate_text};
use futures_util::StreamExt;
use memory::{Workspace, note_spent};

/// A model with its meter.
#[derive(Debug)]
pub struct Metered {
    /// Who answers.
    pub model: Arc<dyn Model>,
    /// Where the ledger is.
    pub workspace: Arc<Workspace>,
    /// Says on which day it is spent.
    pub clock: Arc<dyn Clock>,
    /// Where the owner lives.
    pub timezone: Tz,
}

impl Model for Metered {
    fn profile(&self) -> ModelProfile {
        self.model.profile()
    }

    fn stream<'a>(&'a self, request: &'a Request) -> ReplyStream<'a> {
        let stream = self.model.stream(request);
        if request.purpose == Purpose::Chat {
            return stream;
        }
        let mut meter = Meter {
            metered: self,
            request,
            written: TokenCount::ZERO,
            is_entered: false,
        };
        Box::pin(stream.map(move |event| {
            meter.see(&event);
            event
        }))
    }
}

/// Counts one call; what is broken off is entered when the stream is dropped, for it is billed, too.
struct Meter<'a> {
    metered: &'a Metered,
    request: &'a Request,
    written: TokenCount,
    is_entered: bool,
}

impl Meter<'_> {
    fn see(&mut self, event: &Result<ReplyEvent, ModelError>) {
        match event {
            Ok(ReplyEvent::Text(text) | ReplyEvent::Thinking(text)) => {
                self.written += estimate_text(text);
            }
            Ok(ReplyEvent::Done { usage, .. }) => {
                let cost = cost_of(self.request, *usage, self.written);
                self.enter(cost);
            }
            // What was refused was not read.
            Err(
                ModelError::Unavailable { .. }
                | ModelError::ContextOverflow { .. }
                | ModelError::RateLimited { .. }
                | ModelError::Refused { .. },
            ) => self.is_entered = true,
            Ok(
                ReplyEvent::ToolCall(_)
                | ReplyEvent::AskedAgain { .. }
                | ReplyEvent::FormRefused { .. },
            )
            | Err(_) => {}
        }
    }

    fn enter(&mut self, cost: (TokenCount, TokenCount)) {
        if self.is_entered {
            return;
        }
        self.is_entered = true;
        let Metered {
            workspace,
            clock,
            timezone,
            ..
        } = self.metered;
        let today = day(clock.now(), *timezone);
        // A ledger that cannot be written costs nobody the notes.
        note_spent(workspace, today, self.request.purpose, cost).unwrap_or_default();
    }
}

impl Drop for Meter<'_> {
    fn drop(&mut self) {
        let cost = cost_of(self.request, None, self.written);
        self.enter(cost);
    }
}

/// What the provider counted, else what we estimate.
pub(crate) fn cost_of(
    request: &Request,
    usage: Option<Usage>,
    written: TokenCount,
) -> (TokenCount, TokenCount) {
    if let Some(usage) = usage {
        return (
            usage.input + usage.cache_read + usage.cache_write,
            usage.output,
        );
    }
    let shown: TokenCount = request.messages.iter().map(estimate_message).sum();
    (estimate_text(&request.system) + shown, written)
}

#[cfg(test)]
#[path = "metered_tests.rs"]
mod tests;
