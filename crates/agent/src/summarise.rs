//! Makes a summary: goes down the ladder until a rung gives something worth having.
//!
//! Borrows no turn, writes nothing and keeps no deadline: whoever holds the job does.

use std::sync::{Arc, OnceLock};

use base::model::{
    Evidence, Extractor, Model, ModelError, ModelProfile, Purpose, Quoting, ReplyEvent,
    ReplyStream, Request, Sampling, complete,
};
use base::{Assistant, Message, TokenCount};
use compaction::{
    Audit, MEMORY_ROUNDS_MAX, Rung, Scale, Strategy, Summary, SummaryBrief, SummaryParts,
    SummaryReplyError, fits_whole, merge_request, read_part, read_summary, retry_request,
    spare_room, summary_evidence, summary_request, without_oversized,
};

use futures_util::StreamExt;
use futures_util::future::ready;

use crate::asking::Timeout;
use crate::models::Models;

/// Who writes notes and summaries; cheap to clone, so that a job holds its own.
#[derive(Debug, Clone)]
pub(crate) struct Writers {
    models: Models,
    context_window: TokenCount,
    scale: Scale,
    timeout: Timeout,
}

/// Who may be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Engines {
    /// The models first, then the offline engine.
    All,
    /// Only the one that always answers at once.
    Offline,
}

impl Writers {
    /// These models, for a provider that counts as `scale` says.
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

    /// These models, for as long as they need.
    #[cfg(test)]
    pub(crate) fn untimed(models: Models, context_window: TokenCount) -> Self {
        Self::new(models, context_window, Scale::ONE, Timeout::Never)
    }

    /// Who is asked for notes before the engine that quotes, in order.
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

    /// The most that a request to this model may hold, in estimated tokens.
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
        // Extraction writes what it is asked for, in estimated tokens.
        let (spare, scale) = if model.profile().only_quotes {
            (TokenCount::ZERO, Scale::ONE)
        } else if strategy.asks_once() {
            // The most that it asks for is a number of the provider's tokens.
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

/// What came of it.
#[derive(Debug, Default)]
pub(crate) struct SummaryOutcome {
    /// The summary; `None` where every rung failed.
    pub(crate) summary: Option<Summary>,
    /// Why each rung that was tried before gave nothing, in the order of the ladder.
    pub(crate) failures: Vec<RungFailure>,
}

impl SummaryOutcome {
    pub(crate) fn of(mut summary: Option<Summary>, failures: Vec<RungFailure>) -> Self {
        if let Some(summary) = &mut summary {
            summary.failed = failures.iter().map(|failure| failure.rung).collect();
            // Several models may have failed at the same rung.
            summary.failed.dedup();
        }
        Self { summary, failures }
    }
}

/// A rung that gave nothing worth having.
#[derive(Debug)]
pub(crate) struct RungFailure {
    pub(crate) rung: Rung,
    pub(crate) reason: FailureReason,
}

/// Why a rung gave nothing.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FailureReason {
    /// The model gave no reply.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The reply is no summary worth having.
    #[error(transparent)]
    Reply(#[from] SummaryReplyError),
    /// The model could not be reached, and was not asked again.
    #[error("{0}")]
    Away(String),
    /// It took too long.
    #[error("{0}")]
    Late(String),
    /// It saved memories and never came to the summary.
    #[error("the model called its tool in {MEMORY_ROUNDS_MAX} replies and wrote no summary")]
    Endless,
}

impl FailureReason {
    /// Whether asking the same model for less may help.
    pub(crate) fn is_about_size(&self) -> bool {
        match self {
            Self::Reply(_) | Self::Endless | Self::Model(ModelError::ContextOverflow { .. }) => {
                true
            }
            Self::Model(_) | Self::Away(_) | Self::Late(_) => false,
        }
    }
}

/// Goes down the rungs from `first` with one model after the other, each as long as timeout lasts for each
/// of its replies, and ends at the engine that answers at once; truncation is made of a view and not here.
pub(crate) async fn summarise(
    brief: &SummaryBrief,
    writers: &Writers,
    first: Rung,
) -> SummaryOutcome {
    let audit = Audit::of(&brief.plan, extract::decided_or_open);
    let mut failures: Vec<RungFailure> = Vec::new();
    let models = if first < Rung::Offline {
        writers.models.remote(Purpose::Summarise)
    } else {
        Vec::new()
    };
    for model in models {
        let writer = writers.writer(&**model, &brief.plan.strategy);
        let made = writer.descend((brief, &audit), first, &mut failures);
        if let Some(summary) = made.await {
            return SummaryOutcome::of(Some(summary), failures);
        }
    }
    if first > Rung::Offline || !brief.plan.strategy.tries(Rung::Offline, first) {
        return SummaryOutcome::of(None, failures);
    }
    let evidence = Evidence::from(summary_evidence(brief));
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
    /// The most that a request with what it asks for may hold, in estimated tokens.
    pub(crate) window: TokenCount,
    /// What its reply may hold besides.
    spare: TokenCount,
    /// How it counts.
    scale: Scale,
    timeout: Timeout,
    /// Whether a request that gave nothing is not sent again.
    asks_once: bool,
}

/// What a reply is read for.
#[derive(Clone, Copy)]
pub(crate) struct SummaryTask<'a> {
    pub(crate) brief: &'a SummaryBrief,
    pub(crate) audit: &'a Audit,
    pub(crate) rung: Rung,
}

impl SummaryWriter<'_> {
    /// What it is called.
    pub(crate) fn name(self) -> String {
        self.model.profile().name
    }

    /// The summary by the rungs of a model, from `first` down; `None` where all have failed, and
    /// `failures` then say why.
    async fn descend(
        self,
        (brief, audit): (&SummaryBrief, &Audit),
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

    /// The summary by one request; `None` where the span does not fit into one.
    async fn at_once(self, task: SummaryTask<'_>) -> Result<Option<Summary>, FailureReason> {
        let brief = task.brief;
        // Where nothing but this is tried, the request shortens what does not fit.
        if brief.plan.strategy.tries(Rung::Staged, Rung::Model) && !fits_whole(brief, self.window) {
            return Ok(None);
        }
        let request = |window| summary_request(brief, window);
        let summary = self.asked(task, request).await?;
        Ok(Some(summary))
    }

    /// The summary by the request that is made for a window, and by one more where it lacks too much.
    async fn asked(
        self,
        task: SummaryTask<'_>,
        request: impl Fn(TokenCount) -> Request + Send,
    ) -> Result<Summary, FailureReason> {
        let reply = self.reply(&request(self.window)).await?;
        Ok(self.settled(task, reply, request).await?)
    }

    /// The summary of a reply to the request that is made for a window; where it lacks too much, that of one
    /// more reply, if it is there in time and lacks less.
    pub(crate) async fn settled(
        self,
        task: SummaryTask<'_>,
        reply: Assistant,
        request: impl Fn(TokenCount) -> Request + Send,
    ) -> Result<Summary, SummaryReplyError> {
        let SummaryTask { brief, audit, rung } = task;
        let first = Message::Assistant(reply.clone()).text();
        let summary = read_summary(reply, brief, audit, rung)?;
        let gaps = audit.gaps(&first);
        if gaps.is_empty() || self.asks_once {
            return Ok(summary);
        }
        let again = retry_request(request, (&first, &gaps), self.window);
        let again = self.reply(&again).await;
        let better = again.ok().and_then(|again| {
            let text = Message::Assistant(again.clone()).text();
            let is_better = audit.gaps(&text).len() < gaps.len();
            is_better.then(|| read_summary(again, brief, audit, rung).ok())?
        });
        Ok(better.unwrap_or(summary))
    }

    /// The summary of summaries of parts; `None` where there is too little to part.
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

    /// The summary of all but the oversized messages; `None` where there are none.
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

    /// The summary by extraction, which reads the evidence itself: nothing is too large for it.
    async fn extracted(
        self,
        brief: &SummaryBrief,
        audit: &Audit,
    ) -> Result<Summary, FailureReason> {
        let reply = self.reply(&summary_request(brief, self.window)).await?;
        Ok(read_summary(reply, brief, audit, Rung::Offline)?)
    }

    /// The reply, where it comes in time; it may be longer than was asked for.
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

/// The answer; some models leave it to nobody else how they choose their words.
async fn answer(model: &dyn Model, request: &Request) -> Result<Assistant, ModelError> {
    let reply = complete(model, request).await;
    if request.sampling == Sampling::Likeliest && matches!(reply, Err(ModelError::Refused { .. })) {
        let usual = Request {
            sampling: Sampling::Usual,
            ..request.clone()
        };
        return complete(model, &usual).await;
    }
    reply
}

/// A model whose reply ends where a request would be sent again, with the reason.
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
