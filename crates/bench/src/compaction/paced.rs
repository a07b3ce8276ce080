//! A model that takes its time, and the replies of a recording, on the clock of the executor.
//!
//! Writes as the offline engine does; nothing waits for real where that clock is paused.

use std::time::Duration;

use base::model::{
    Evidence, Excerpt, Extractor, Model, ModelProfile, Purpose, ReplyEvent, ReplyStream, Request,
};
use base::{
    Message, Origin, StopReason, Timestamp, TokenCount, Tz, estimate_message, estimate_text,
};
use futures_util::{StreamExt, stream};
use models::OfflineEngine;
use tokio::time::sleep;

/// How long a reply to the owner takes.
pub(super) const REPLY: Duration = Duration::from_secs(5);

/// Tokens that it reads in a second, and that it writes. Round numbers, not those of any model.
const READ_PER_SECOND: u64 = 2_000;
const WRITTEN_PER_SECOND: u64 = 50;

#[derive(Debug)]
pub(super) struct Paced {
    engine: OfflineEngine,
}

impl Paced {
    pub(super) fn new() -> Self {
        Self {
            engine: OfflineEngine::new(Tz::UTC),
        }
    }

    /// The whole reply, after as long as it takes to read the request and to write it.
    async fn work(&self, request: &Request) -> Vec<Result<ReplyEvent, base::model::ModelError>> {
        let evidence = Evidence::from(shown(request));
        let events: Vec<_> = self.engine.quote(request, &evidence).collect().await;
        let messages: TokenCount = request.messages.iter().map(estimate_message).sum();
        let read = estimate_text(&request.system) + messages;
        let written = |event: &Result<ReplyEvent, _>| match event {
            Ok(ReplyEvent::Text(text)) => estimate_text(text),
            Ok(_) | Err(_) => TokenCount::ZERO,
        };
        let written: TokenCount = events.iter().map(written).sum();
        let seconds = read.0 / READ_PER_SECOND + written.0 / WRITTEN_PER_SECOND;
        sleep(Duration::from_secs(seconds)).await;
        events
    }
}

/// What a request shows, as evidence: it has no other.
fn shown(request: &Request) -> Vec<Excerpt> {
    let excerpt = |(number, message): (usize, &Message)| Excerpt {
        label: format!("e{number}"),
        entry: None,
        at: Timestamp::UNIX_EPOCH,
        origin: Origin::Owner,
        message: message.clone(),
        recalled: None,
    };
    (1..).zip(&request.messages).map(excerpt).collect()
}

impl Model for Paced {
    fn profile(&self) -> ModelProfile {
        ModelProfile {
            name: "paced".into(),
            context_window: None,
            concurrency: 2,
            only_quotes: false,
        }
    }

    fn stream<'a>(&'a self, request: &'a Request) -> ReplyStream<'a> {
        if request.purpose == Purpose::Chat {
            let done = ReplyEvent::Done {
                stop: StopReason::Stop,
                usage: None,
            };
            let reply = async move {
                sleep(REPLY).await;
                stream::iter([Ok(ReplyEvent::Text("Understood.".into())), Ok(done)])
            };
            return stream::once(reply).flatten().boxed();
        }
        let pieces = async move { stream::iter(self.work(request).await) };
        stream::once(pieces).flatten().boxed()
    }
}
