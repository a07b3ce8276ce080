//! Makes a summary: descends the ladder until a rung gives a usable one.
//!
//! Borrows no turn and writes nothing.

use std::sync::{Arc, OnceLock};

use base::model::{
    Extractor, ExtractorInput, Model, ModelError, ModelProfile, Purpose, Quoting, ReplyEvent,
    ReplyStream, Request, Sampling,
};
use base::{Assistant, Message, TokenCount};
use compaction::{
    Audit, MEMORY_ROUNDS_MAX, Rung, Scale, Strategy, Summary, SummaryBrief, SummaryParts,
    SummaryReplyError, fits_whole, merge_request, read_part, read_summary, retry_request,
    spare_room, summary_evidence, summary_request, without_oversized,
};

use futures_util::StreamExt;
use futures_util::future::ready;

use crate::models::Models;
use crate::writers::asking::Timeout;
use crate::writers::unseen::complete_unseen;

/// The models that write notes and summaries; cheap to clone, so each job holds its own.
#[derive(Debug, Clone)]
pub(crate) struct Writers {
    models: Models,
    context_window: TokenCount,
    scale: Scale,
    timeout: Timeout,
}

/// Which engines may be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Engines {
    /// The models first, then the offline engine.
    All,
    /// Only the offline engine, which answers at once.
    Offline,
}

impl Writers {
    /// Writers over these models; `scale` converts the provider's token counts.
    pub(crate) fn new(
        models: Models,
        context_window: TokenCount,
        scale: Scale,
        timeout: Timeout,
    ) -> Self {
        Self {
            models,
            context_window,
            scale,
            timeout,
        }
    }

    /// Writers without a time limit.
    #[cfg(test)]
    pub(crate) fn untimed(models: Models, context_window: TokenCount) -> Self {
        Self::new(models, context_window, Scale::ONE, Timeout::Never)
    }

    /// The models asked for notes before the offline engine, in order.
    pub(crate) fn remote(&self, engines: Engines) -> Vec<&Arc<dyn Model>> {
        match engines {
            Engines::All => self.models.remote(Purpose::Flush),
            Engines::Offline => Vec::new(),
        }
    }

    pub(crate) fn offline(&self) -> &dyn Extractor {
        &*self.models.offline
    }

    pub(crate) fn timeout(&self) -> Timeout {
        self.timeout
    }

    /// The window of this model, in estimated tokens.
    pub(crate) fn window_of(&self, model: &dyn Model) -> TokenCount {
        let window = self.models.window_of(model, self.context_window);
        if model.profile().only_quotes {
            window
        } else {
            self.scale.to_estimate(window)
        }
    }

    pub(crate) fn best(&self, strategy: &Strategy) -> SummaryWriter<'_> {
        let remote = self.models.remote(Purpose::Summarise);
        match remote.first() {
            Some(model) => self.writer(&***model, strategy),
            None => self.writer(&*self.models.offline, strategy),
        }
    }

    fn writer<'a>(&self, model: &'a dyn Model, strategy: &Strategy) -> SummaryWriter<'a> {
        let window = self.window_of(model);
        // Extraction keeps to the requested length, in estimated tokens; strategies that ask once set the reply's
        // limit in the provider's tokens.
        let (spare, scale) = if model.profile().only_quotes || strategy.asks_once() {
            (TokenCount::ZERO, Scale::ONE)
        } else {
            (spare_room(window), self.scale)
        };
        SummaryWriter {
            model,
            window: window.saturating_sub(spare),
            spare,
            scale,
            timeout: self.timeout,
            asks_once: strategy.asks_once(),
        }
    }
}

/// A summary, or why there is none.
#[derive(Debug, Default)]
pub(crate) struct SummaryOutcome {
    /// The summary; `None` if every rung failed.
    pub(crate) summary: Option<Summary>,
    /// The failures of the rungs tried before, in ladder order.
    pub(crate) failures: Vec<RungFailure>,
}

impl SummaryOutcome {
    pub(crate) fn of(mut summary: Option<Summary>, failures: Vec<RungFailure>) -> Self {
        if let Some(summary) = &mut summary {
            summary.failed = failures.iter().map(|failure| failure.rung).collect();
            // Several models may have failed on the same rung.
            summary.failed.dedup();
        }
        Self { summary, failures }
    }
}

/// A rung that gave no usable summary.
#[derive(Debug)]
pub(crate) struct RungFailure {
    pub(crate) rung: Rung,
    pub(crate) reason: FailureReason,
}

/// Why a rung failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FailureReason {
    /// The model gave no reply.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The reply is not a usable summary.
    #[error(transparent)]
    Reply(#[from] SummaryReplyError),
    /// The model could not be reached and was not retried.
    #[error("{0}")]
    Away(String),
    /// The model took too long.
    #[error("{0}")]
    Late(String),
    /// The model kept saving memories and never wrote the summary.
    #[error("the model called its tool in {MEMORY_ROUNDS_MAX} replies without writing a summary")]
    Endless,
}

impl FailureReason {
    /// Whether a smaller request to the same model may succeed.
    pub(crate) fn is_about_size(&self) -> bool {
        matches!(
            self,
            Self::Reply(_) | Self::Endless | Self::Model(ModelError::ContextOverflow { .. })
        )
    }
}

/// Descends the rungs from `first` with one model after another, each reply within the time limit, and ends with the
/// offline engine. Truncation is not handled here: it needs the view.
pub(crate) async fn summarise(
    brief: &SummaryBrief,
    writers: &Writers,
    first: Rung,
) -> SummaryOutcome {
    let audit = Audit::of(&brief.plan);
    let mut failures: Vec<RungFailure> = Vec::new();
    let models = if first < Rung::Offline {
        writers.models.remote(Purpose::Summarise)
    } else {
        Vec::new()
    };
    for model in models {
        let writer = writers.writer(&**model, &brief.plan.strategy);
        let made = writer.descend(brief, &audit, first, &mut failures);
        if let Some(summary) = made.await {
            return SummaryOutcome::of(Some(summary), failures);
        }
    }
    if first > Rung::Offline || !brief.plan.strategy.tries(Rung::Offline, first) {
        return SummaryOutcome::of(None, failures);
    }
    let evidence = ExtractorInput::from(summary_evidence(brief));
    let quoting = Quoting {
        extractor: writers.offline(),
        evidence: &evidence,
    };
    let writer = writers.writer(&quoting, &brief.plan.strategy);
    let rung = Rung::Offline;
    match writer.extracted(brief, &audit).await {
        Ok(summary) => SummaryOutcome::of(Some(summary), failures),
        Err(reason) => {
            failures.push(RungFailure { rung, reason });
            SummaryOutcome::of(None, failures)
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct SummaryWriter<'a> {
    model: &'a dyn Model,
    /// Limit of a request including its reply, in estimated tokens.
    pub(crate) window: TokenCount,
    /// Extra room for a reply that is longer than requested.
    spare: TokenCount,
    /// The provider's tokens per estimated token.
    scale: Scale,
    timeout: Timeout,
    /// Whether failed requests are not retried.
    asks_once: bool,
}

/// The inputs that are needed to read and audit a reply.
#[derive(Clone, Copy)]
pub(crate) struct SummaryTask<'a> {
    pub(crate) brief: &'a SummaryBrief,
    pub(crate) audit: &'a Audit,
    pub(crate) rung: Rung,
}

impl SummaryWriter<'_> {
    /// The model's name.
    pub(crate) fn name(self) -> String {
        self.model.profile().name
    }

    /// Tries the rungs of one model from `first` down; `None` if all fail, with the reasons in `failures`.
    async fn descend(
        self,
        brief: &SummaryBrief,
        audit: &Audit,
        first: Rung,
        failures: &mut Vec<RungFailure>,
    ) -> Option<Summary> {
        let mut next = Some(first);
        while let Some(rung) = next.filter(|rung| *rung < Rung::Offline) {
            next = rung.below();
            if !brief.plan.strategy.tries(rung, first) {
                continue;
            }
            let task = SummaryTask { brief, audit, rung };
            let made = match rung {
                Rung::Model => self.at_once(task).await,
                Rung::Staged => self.staged(task).await,
                Rung::Partial => self.partial(task).await,
                Rung::Offline | Rung::Truncate => Ok(None),
            };
            match made {
                Ok(Some(summary)) => return Some(summary),
                // The rung does not apply to this span.
                Ok(None) => {}
                Err(reason) => {
                    let is_useless = !reason.is_about_size();
                    failures.push(RungFailure { rung, reason });
                    if is_useless {
                        return None;
                    }
                }
            }
        }
        None
    }

    /// Summarises in one request; `None` if the span does not fit into one.
    async fn at_once(self, task: SummaryTask<'_>) -> Result<Option<Summary>, FailureReason> {
        let brief = task.brief;
        // If no other rung is tried, the request itself shortens what does not fit.
        if brief.plan.strategy.tries(Rung::Staged, Rung::Model) && !fits_whole(brief, self.window) {
            return Ok(None);
        }
        let request = |window| summary_request(brief, window);
        let summary = self.asked(task, request).await?;
        Ok(Some(summary))
    }

    /// Sends the request, and retries once if the summary lacks too much.
    async fn asked(
        self,
        task: SummaryTask<'_>,
        request: impl Fn(TokenCount) -> Request + Send,
    ) -> Result<Summary, FailureReason> {
        let reply = self.reply(&request(self.window)).await?;
        Ok(self.settled(task, reply, request).await?)
    }

    /// Reads a summary from a reply. If it lacks too many audited items, asks once more. Keeps the second summary if
    /// that comes in time and lacks no more: the model wrote it after it had been told what was missing.
    pub(crate) async fn settled(
        self,
        task: SummaryTask<'_>,
        reply: Assistant,
        request: impl Fn(TokenCount) -> Request + Send,
    ) -> Result<Summary, SummaryReplyError> {
        let SummaryTask { brief, audit, rung } = task;
        let first = Message::Assistant(reply.clone()).text();
        let summary = read_summary(reply, brief, audit, rung)?;
        let gaps = audit.gaps(&summary.text);
        if gaps.is_empty() || self.asks_once {
            return Ok(summary);
        }
        let again = retry_request(request, (&first, &gaps), self.window);
        let again = self.reply(&again).await.ok();
        let again = again.and_then(|again| read_summary(again, brief, audit, rung).ok());
        let better = again.filter(|again| audit.gaps(&again.text).len() <= gaps.len());
        Ok(better.unwrap_or(summary))
    }

    /// Summarises parts, then merges the summaries; `None` if the span is too small to split.
    async fn staged(self, task: SummaryTask<'_>) -> Result<Option<Summary>, FailureReason> {
        let brief = task.brief;
        let Some(parts) = SummaryParts::new(brief, self.window) else {
            return Ok(None);
        };
        let mut texts = Vec::new();
        for part in &parts.briefs {
            let reply = self.reply(&summary_request(part, self.window)).await?;
            texts.push(read_part(reply, part)?);
        }
        let request = |window| merge_request(brief, &texts, window);
        let summary = self.asked(task, request).await?;
        Ok(Some(summary))
    }

    /// Summarises all but the oversized messages; `None` if there are none.
    async fn partial(self, task: SummaryTask<'_>) -> Result<Option<Summary>, FailureReason> {
        let Some(lighter) = without_oversized(task.brief, self.window) else {
            return Ok(None);
        };
        let task = SummaryTask {
            brief: &lighter,
            ..task
        };
        if fits_whole(&lighter, self.window) {
            let request = |window| summary_request(&lighter, window);
            let summary = self.asked(task, request).await?;
            return Ok(Some(summary));
        }
        self.staged(task).await
    }

    /// Summarises by extraction, which reads the evidence directly and has no size limit.
    async fn extracted(
        self,
        brief: &SummaryBrief,
        audit: &Audit,
    ) -> Result<Summary, FailureReason> {
        let reply = self.reply(&summary_request(brief, self.window)).await?;
        Ok(read_summary(reply, brief, audit, Rung::Offline)?)
    }

    /// Asks the model within the time limit; allows a reply somewhat longer than requested.
    pub(crate) async fn reply(self, request: &Request) -> Result<Assistant, FailureReason> {
        let roomy = Request {
            output_max: self.scale.to_provider(request.output_max + self.spare),
            ..request.clone()
        };
        let (model, timeout) = (self.model, self.timeout);
        if !self.asks_once {
            let reply = timeout.limit(answer(model, &roomy)).await;
            return Ok(reply.map_err(FailureReason::Late)??);
        }
        let first_try = FirstTry(model, OnceLock::new());
        let reply = timeout.limit(answer(&first_try, &roomy)).await;
        match first_try.1.into_inner() {
            Some(reason) => Err(FailureReason::Away(reason)),
            None => Ok(reply.map_err(FailureReason::Late)??),
        }
    }
}

/// Asks the model; retries with default sampling, because some models refuse requests that set it.
async fn answer(model: &dyn Model, request: &Request) -> Result<Assistant, ModelError> {
    let reply = complete_unseen(model, request, &mut |_| {}).await;
    if request.sampling == Sampling::Likeliest && matches!(reply, Err(ModelError::Refused { .. })) {
        let usual = Request {
            sampling: Sampling::Usual,
            ..request.clone()
        };
        return complete_unseen(model, &usual, &mut |_| {}).await;
    }
    reply
}

/// A model that stops instead of retrying a request, and records the reason for the retry.
#[derive(Debug)]
struct FirstTry<'a>(&'a dyn Model, OnceLock<String>);

impl Model for FirstTry<'_> {
    fn profile(&self) -> ModelProfile {
        self.0.profile()
    }

    fn stream<'a>(&'a self, request: &'a Request) -> ReplyStream<'a> {
        let goes_on = |event: &Result<ReplyEvent, ModelError>| match event {
            Ok(ReplyEvent::AskedAgain { reason, .. }) => {
                self.1.get_or_init(|| reason.clone());
                false
            }
            Ok(_) | Err(_) => true,
        };
        let events = self.0.stream(request);
        Box::pin(events.take_while(move |event| ready(goes_on(event))))
    }
}

#[cfg(test)]
#[path = "summarise_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "summarise_injected_tests.rs"]
mod injected_tests;
