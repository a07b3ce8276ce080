//! Meters models: enters the cost of background work in the ledger, and counts the replies of this process.
//!
//! Never refuses a request or changes a reply.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use base::model::{Model, ModelError, ModelProfile, Purpose, ReplyEvent, ReplyStream, Request};
use base::{Clock, TokenCount, Tz, Usage, day, estimate_message, estimate_text, locked};
use futures_util::StreamExt;
use memory::{FileError, Workspace, note_spent};

/// A model with its meter.
#[derive(Debug)]
pub struct Metered {
    model: Arc<dyn Model>,
    workspace: Arc<Workspace>,
    clock: Arc<dyn Clock>,
    timezone: Tz,
    /// Why a call was not entered in the ledger; taken once reported.
    failure: Mutex<Option<FileError>>,
}

impl Metered {
    /// Wraps `model`; enters its cost in the workspace's ledger under the owner's day.
    pub fn new(
        model: Arc<dyn Model>,
        workspace: Arc<Workspace>,
        clock: Arc<dyn Clock>,
        timezone: Tz,
    ) -> Self {
        Self {
            model,
            workspace,
            clock,
            timezone,
            failure: Mutex::default(),
        }
    }

    fn enter(&self, purpose: Purpose, cost: (TokenCount, TokenCount)) {
        let today = day(self.clock.now(), self.timezone);
        if let Err(error) = note_spent(&self.workspace, today, purpose, cost) {
            *locked(&self.failure) = Some(error);
        }
    }

    /// The warning of a failed ledger entry, which fails no notes but leaves too much of the owner's budget.
    fn warning(&self) -> Option<ReplyEvent> {
        let error = locked(&self.failure).take()?;
        let warning = format!("tokens spent on a model were not recorded in the ledger: {error}");
        Some(ReplyEvent::Warning(warning))
    }
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
        Box::pin(stream.flat_map(move |event| {
            meter.see(&event);
            // An aborted call is entered when its stream is dropped; the next call reports a failure of that.
            let warning = self.warning().map(Ok);
            futures_util::stream::iter(warning.into_iter().chain([event]))
        }))
    }
}

/// Counts one call. An aborted call is billed too, so it is entered when the stream is dropped.
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
            // A refused request was not read, so it costs nothing.
            Err(
                ModelError::Unavailable { .. }
                | ModelError::ContextOverflow { .. }
                | ModelError::RateLimited { .. }
                | ModelError::Refused { .. },
            ) => self.is_entered = true,
            Ok(
                ReplyEvent::ToolCall(_) | ReplyEvent::AskedAgain { .. } | ReplyEvent::Warning(_),
            )
            | Err(_) => {}
        }
    }

    fn enter(&mut self, cost: (TokenCount, TokenCount)) {
        if !self.is_entered {
            self.is_entered = true;
            self.metered.enter(self.request.purpose, cost);
        }
    }
}

impl Drop for Meter<'_> {
    fn drop(&mut self) {
        let cost = cost_of(self.request, None, self.written);
        self.enter(cost);
    }
}

/// Input and output tokens as the provider counted them, or else as estimated.
pub(crate) fn cost_of(
    request: &Request,
    usage: Option<Usage>,
    written: TokenCount,
) -> (TokenCount, TokenCount) {
    if let Some(usage) = usage {
        let input = usage.input + usage.cache_read + usage.cache_write;
        return (input, usage.output);
    }
    let shown: TokenCount = request.messages.iter().map(estimate_message).sum();
    (estimate_text(&request.system) + shown, written)
}

/// Token counts, shared by all turns of a process. They are valid between any two additions, even after a panic.
#[derive(Debug, Default)]
pub struct Statistics(Mutex<TokenCounts>);

/// Counts in the provider's tokens if it reports them, else estimated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TokenCounts {
    /// Replies, and summaries that took effect.
    pub steps: u64,
    /// Tokens of the last request.
    pub last_prompt: TokenCount,
    /// Tokens of the last reply.
    pub last_completion: TokenCount,
    /// Tokens of all requests.
    pub prompt: TokenCount,
    /// Tokens of all replies.
    pub completion: TokenCount,
    /// Speed of the last reply in tenths of tokens per second; `None` if it was too short to measure.
    pub tenths_per_second: Option<u64>,
}

/// Shortest reply time, in milliseconds, that measures a model's speed.
const MEASURED_MS_MIN: u128 = 250;

impl Statistics {
    /// The counts so far.
    pub fn counts(&self) -> TokenCounts {
        *locked(&self.0)
    }

    /// Counts a reply.
    pub(crate) fn replied(&self, prompt: TokenCount, completion: TokenCount, took: Duration) {
        let mut counts = locked(&self.0);
        counts.steps += 1;
        counts.last_prompt = prompt;
        counts.last_completion = completion;
        counts.prompt += prompt;
        counts.completion += completion;
        let millis = Some(took.as_millis()).filter(|millis| *millis >= MEASURED_MS_MIN);
        let tenths = millis.and_then(|millis| {
            let tokens = u128::from(completion.0);
            tokens.saturating_mul(10_000).checked_div(millis)
        });
        counts.tenths_per_second = tenths
            .filter(|_| completion > TokenCount::ZERO)
            .map(|tenths| u64::try_from(tenths).unwrap_or(u64::MAX));
    }

    /// Counts a summary that took effect.
    pub(crate) fn compacted(&self) {
        locked(&self.0).steps += 1;
    }
}

#[cfg(test)]
#[path = "metered_tests.rs"]
mod tests;

#[cfg(test)]
mod statistics_tests {
    use super::*;

    #[test]
    fn statistics_sum_usage_and_report_speed_of_last_reply() {
        let statistics = Statistics::default();
        let slow = Duration::from_millis(1_500);
        statistics.replied(TokenCount(100), TokenCount(30), slow);
        assert_eq!(statistics.counts().tenths_per_second, Some(200));
        statistics.compacted();
        let at_once = Duration::from_millis(249);
        statistics.replied(TokenCount(150), TokenCount(5), at_once);
        assert_eq!(
            statistics.counts(),
            TokenCounts {
                steps: 3,
                last_prompt: TokenCount(150),
                last_completion: TokenCount(5),
                prompt: TokenCount(250),
                completion: TokenCount(35),
                tenths_per_second: None,
            }
        );
    }
}
