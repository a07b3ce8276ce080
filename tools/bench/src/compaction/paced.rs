//! A model that answers after a simulated delay, on the executor's clock.
//!
//! Replies like the offline engine. With a paused clock, no test really waits.

use std::time::Duration;

use base::model::{
    Excerpt, Extractor, ExtractorInput, Model, ModelProfile, Purpose, ReplyEvent, ReplyStream,
    Request,
};
use base::{
    Message, Origin, StopReason, Timestamp, TokenCount, Tz, estimate_message, estimate_text,
};
use futures_util::{StreamExt, stream};
use models::OfflineEngine;
use tokio::time::sleep;

/// The simulated time of a reply to the owner.
pub(super) const REPLY: Duration = Duration::from_secs(5);

/// Tokens read per second, and below tokens written per second. Both are round numbers and not those of a particular
/// model.
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

    /// The whole reply, after the time that reading the request and writing the reply would take.
    async fn work(&self, request: &Request) -> Vec<Result<ReplyEvent, base::model::ModelError>> {
        let evidence = ExtractorInput::from(shown(request));
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

/// The request's messages as evidence, because the benchmark has no other.
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
