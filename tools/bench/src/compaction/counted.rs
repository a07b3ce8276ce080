//! The offline engine, which also counts the tokens that a model would read and write for notes and summaries.
//!
//! Does not change the replies.

use std::sync::{Mutex, MutexGuard, PoisonError};

use base::model::{
    Extractor, ExtractorInput, Model, ModelProfile, Purpose, ReplyEvent, ReplyStream, Request,
};
use base::{TokenCount, Tz, estimate_message, estimate_text};
use futures_util::StreamExt;
use models::OfflineEngine;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct CountedTokens {
    pub(super) read: TokenCount,
    pub(super) written: TokenCount,
}

#[derive(Debug)]
pub(super) struct Counted {
    engine: OfflineEngine,
    spent: Mutex<CountedTokens>,
}

impl Counted {
    pub(super) fn new() -> Self {
        Self {
            engine: OfflineEngine::new(Tz::UTC),
            spent: Mutex::default(),
        }
    }

    pub(super) fn spent(&self) -> CountedTokens {
        *self.lock()
    }

    fn lock(&self) -> MutexGuard<'_, CountedTokens> {
        // Poisoning is harmless: each change is a single addition.
        self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Model for Counted {
    fn profile(&self) -> ModelProfile {
        self.engine.profile()
    }

    fn stream<'a>(&'a self, request: &'a Request) -> ReplyStream<'a> {
        self.engine.stream(request)
    }
}

impl Extractor for Counted {
    fn quote<'a>(&'a self, request: &'a Request, evidence: &'a ExtractorInput) -> ReplyStream<'a> {
        if !matches!(request.purpose, Purpose::Flush | Purpose::Summarise) {
            return self.engine.quote(request, evidence);
        }
        let messages: TokenCount = request.messages.iter().map(estimate_message).sum();
        let mut spent = self.lock();
        spent.read += estimate_text(&request.system) + messages;
        drop(spent);
        let stream = self.engine.quote(request, evidence);
        let stream = stream.inspect(|event| {
            if let Ok(ReplyEvent::Text(text)) = event {
                self.lock().written += estimate_text(text);
            }
        });
        stream.boxed()
    }
}
