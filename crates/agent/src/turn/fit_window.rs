//! Fits the next request into the window: prune, count, decide, flush, compact.
//!
//! Only carries out what `compaction` decides. In a sandbox it neither flushes nor compacts: what does not fit is
//! left out of the request alone.

use base::TokenCount;
use base::model::Purpose;
use compaction::{
    Action, Breaker, Budget, BudgetError, CompactionState, Demand, FlushMode, FlushNeed, JobState,
    Ladder, Leaves, Pressure, Rung, Truncation, decide, leaves, truncate, truncation,
};
use session::{Turn, View, ViewContent, ViewItem};

use crate::error::TurnError;
use crate::event::{Event, OnEvent};
use crate::jobs::compact::{AttemptOutcome, brief};
use crate::jobs::compaction_events::stop_job;
use crate::jobs::driver::{
    CompactionNeed, CompactionOrder, apply_finished_job, begin_compaction, compact, flush,
    read_through,
};
use crate::jobs::flush::{FlushOrder, FlushProgress};
use crate::jobs::slots::Work;
use crate::prompt::{RequestContext, RequestExtras, assemble_with};
use crate::runtime::{ChatEngine, Runtime};
use crate::sandbox::Sandbox;
use crate::writers::summarise::Engines;

/// The context of the next request, compacted first if needed.
pub(crate) async fn fit_window(
    runtime: &Runtime,
    turn: &mut Turn,
    extras: &RequestExtras,
    on_event: OnEvent<'_>,
) -> Result<RequestContext, TurnError> {
    if let Some(sandbox) = &runtime.sandbox {
        return fit_window_in_sandbox(runtime, turn, sandbox, extras, on_event);
    }
    let mut pass = Pass::new(runtime, turn, Demand::Trigger);
    loop {
        apply_finished_job(runtime, turn, extras, on_event)?;
        let context = assemble_with(runtime, turn.name(), turn.view(), extras)?;
        check_prefix(&runtime.engine, &context)?;
        match decide_in(turn, &context, &pass) {
            Action::Proceed => {
                warn_at_half(runtime, turn, &context, on_event);
                return Ok(context);
            }
            Action::ProceedWithWarning => {
                if pass.has_failed() {
                    let until = context.tokens() + context.budget.growth_min();
                    runtime.jobs.rest(turn.name(), Some(until));
                }
                warn(runtime, turn, &context, Pressure::Full, on_event);
                return Ok(context);
            }
            Action::InBackground { flush, rung } => {
                if runtime.engine.models.can_work_beside() {
                    let need = CompactionNeed { flush, rung };
                    begin_compaction(runtime, turn, &context, need, on_event)?;
                } else {
                    runtime.jobs.put_off(turn, Work::Compaction);
                }
                return Ok(context);
            }
            Action::AfterReply { flush, rung } => {
                let need = CompactionNeed { flush, rung };
                if let Some(shorter) = shortened(runtime, turn, &context, extras)? {
                    summarise_after_reply(runtime, turn, (&context, &shorter), need, on_event)?;
                    return Ok(shorter);
                }
                stop_job(runtime, turn.name(), on_event);
                // Boxed: rarely needed, and each turn would carry its size.
                Box::pin(pass.step(turn, &context, need, on_event)).await?;
            }
            Action::Now { flush, rung } => {
                pass.step(turn, &context, CompactionNeed { flush, rung }, on_event)
                    .await?;
            }
            Action::Emergency { flush, rung } => {
                if let Some(shorter) = until_summarised(runtime, turn, &context, rung, extras)? {
                    warn(runtime, turn, &context, Pressure::LeftOut, on_event);
                    return Ok(shorter);
                }
                stop_job(runtime, turn.name(), on_event);
                pass.give_up_models();
                pass.step(turn, &context, CompactionNeed { flush, rung }, on_event)
                    .await?;
            }
            Action::Exhausted { excess } => return Err(TurnError::DoesNotFit { excess }),
        }
    }
}

/// While a job compacts, the request without the messages that an emergency truncation would drop: the pending
/// summary will replace them, so none has to be dropped for good. `None` if no job is compacting, if the rung is not
/// truncation, or if the request would still be too large.
fn until_summarised(
    runtime: &Runtime,
    turn: &Turn,
    context: &RequestContext,
    rung: Rung,
    extras: &RequestExtras,
) -> Result<Option<RequestContext>, TurnError> {
    if rung != Rung::Truncate || !runtime.jobs.is_compacting(turn.name()) {
        return Ok(None);
    }
    shortened(runtime, turn, context, extras)
}

/// The request without as many older messages as it takes to fit; `None` if it does not fit even then.
fn shortened(
    runtime: &Runtime,
    turn: &Turn,
    context: &RequestContext,
    extras: &RequestExtras,
) -> Result<Option<RequestContext>, TurnError> {
    let cut = truncation(turn.view(), &context.shown, &context.usage, &context.budget);
    let Some(view) = cut.and_then(|cut| without(turn.view(), cut)) else {
        return Ok(None);
    };
    let shorter = assemble_with(runtime, turn.name(), &view, extras)?;
    let fits = shorter.tokens() <= shorter.budget.request_max();
    Ok(fits.then_some(shorter))
}

/// Begins the compaction of a backlog beside the reply, or leaves it until the model is free. Tells the owner that
/// the model does not see the older messages: in a notice when it begins, in a warning once per epoch otherwise.
fn summarise_after_reply(
    runtime: &Runtime,
    turn: &mut Turn,
    (context, shorter): (&RequestContext, &RequestContext),
    need: CompactionNeed,
    on_event: OnEvent<'_>,
) -> Result<(), TurnError> {
    let may_begin = match runtime.jobs.state(&runtime.home.sessions, turn) {
        JobState::Unavailable | JobState::Busy | JobState::Deferred => false,
        JobState::Resting { until } => context.tokens() >= until,
        JobState::Free => true,
    };
    if !may_begin {
        warn(runtime, turn, context, Pressure::LeftOut, on_event);
        return Ok(());
    }
    let n_shown = shorter.shown.items.iter().filter_map(ViewItem::message);
    on_event(Event::Notice(format!(
        "This conversation is several times as large as the model's window, so for this reply the model sees only the \
         newest {} messages. A summary of the older ones is made after it.",
        n_shown.count()
    )));
    if runtime.engine.models.can_work_beside() {
        begin_compaction(runtime, turn, context, need, on_event)
    } else {
        runtime.jobs.put_off(turn, Work::Compaction);
        Ok(())
    }
}

/// Warns once per epoch.
fn warn(
    runtime: &Runtime,
    turn: &Turn,
    context: &RequestContext,
    pressure: Pressure,
    on_event: OnEvent<'_>,
) {
    let epoch = turn.state().compaction_count;
    if runtime.jobs.warns(turn.name(), epoch, pressure) {
        on_event(Event::Window(compaction::WindowEvent::ContextWarning {
            current_context_tokens: context.to_provider(context.tokens()),
            threshold: context.threshold,
            pressure,
        }));
    }
}

/// Warns that half of the trigger is reached, if the owner has enabled it.
fn warn_at_half(runtime: &Runtime, turn: &Turn, context: &RequestContext, on_event: OnEvent<'_>) {
    let total = context.tokens();
    let is_half = total + total >= context.budget.trigger && total < context.budget.trigger;
    if runtime.engine.settings.warns_at_half && is_half {
        warn(runtime, turn, context, Pressure::Half, on_event);
    }
}

/// The state of one pass down the ladder.
pub(crate) struct Pass<'r> {
    runtime: &'r Runtime,
    first: Rung,
    demand: Demand,
    ladder: Ladder,
    engines: Engines,
    flush: Option<FlushNeed>,
}

impl<'r> Pass<'r> {
    /// Starts at the best rung for the strategy and the breaker's state.
    pub(crate) fn new(runtime: &'r Runtime, turn: &Turn, demand: Demand) -> Self {
        let engine = &runtime.engine;
        let first = engine.settings.strategy.first_rung(best_rung(engine));
        Self {
            runtime,
            first,
            demand,
            ladder: breaker(turn).ladder(first, demand),
            engines: Engines::All,
            flush: None,
        }
    }

    /// Uses only the offline engine from here on.
    fn give_up_models(&mut self) {
        self.first = self.first.max(Rung::Offline);
        self.ladder = Ladder::starting_at(self.first);
        self.engines = Engines::Offline;
    }

    /// Whether it has tried every rung without effect.
    fn has_failed(&self) -> bool {
        self.ladder.rung().is_none()
    }

    /// The next rung.
    pub(crate) fn rung(&self) -> Option<Rung> {
        self.ladder.rung()
    }

    /// Flushes if needed, else tries the rung; returns whether older messages have left the view.
    pub(crate) async fn step(
        &mut self,
        turn: &mut Turn,
        context: &RequestContext,
        need: CompactionNeed,
        on_event: OnEvent<'_>,
    ) -> Result<bool, TurnError> {
        let mut announced = None;
        // A failed flush is not retried within one compaction: its span waits for the next.
        let (runtime, rung) = (self.runtime, need.rung);
        if need.flush == FlushNeed::Needed && self.flush.is_none() {
            let brief = brief(&runtime.home, turn, context)?;
            let order = FlushOrder {
                mode: FlushMode::BeforeCompaction,
                engines: self.engines,
                extent: runtime.jobs.extent_in_turn(),
                through: brief.and_then(|brief| read_through(&brief, rung)),
            };
            let flushed = flush(runtime, turn, &order, on_event).await?;
            self.flush = Some(FlushNeed::Done);
            match flushed {
                FlushProgress::Over(_) => return Ok(false),
                FlushProgress::Announced(last) => announced = Some(last),
            }
        }
        let order = CompactionOrder {
            first: rung,
            instructions: None,
            flush: announced,
        };
        let outcome = compact(runtime, turn, context, order, on_event).await?;
        match outcome {
            AttemptOutcome::TookEffect => {
                runtime.jobs.rest(turn.name(), None);
                self.ladder = breaker(turn).ladder(self.first, self.demand);
                self.flush = None;
            }
            AttemptOutcome::Rejected { last } => self.ladder = self.ladder.without(last),
        }
        Ok(outcome == AttemptOutcome::TookEffect)
    }
}

/// The action that the size of the next request calls for.
pub(crate) fn decide_on(runtime: &Runtime, turn: &Turn, context: &RequestContext) -> Action {
    decide_in(turn, context, &Pass::new(runtime, turn, Demand::Trigger))
}

fn decide_in(turn: &Turn, context: &RequestContext, pass: &Pass<'_>) -> Action {
    let state = state(turn, context, pass);
    decide(&context.usage, &context.budget, &state)
}

/// The session state that `decide` needs.
pub(crate) fn state(turn: &Turn, context: &RequestContext, pass: &Pass<'_>) -> CompactionState {
    let is_below = context.tokens() < context.budget.trigger;
    CompactionState {
        epoch: turn.state().compaction_count,
        flush_marker: turn.state().memory_flush_compaction_count,
        ladder: pass.ladder,
        leaves: if is_below && pass.demand == Demand::Trigger {
            Leaves::Nothing
        } else {
            leaves(&context.shown, &context.usage, &context.budget)
        },
        jobs: if is_below {
            JobState::Unavailable
        } else {
            let runtime = pass.runtime;
            runtime.jobs.state(&runtime.home.sessions, turn)
        },
    }
}

pub(crate) fn best_rung(engine: &ChatEngine) -> Rung {
    if engine.models.is_offline_for(Purpose::Summarise) {
        Rung::Offline
    } else {
        Rung::Model
    }
}

pub(crate) fn breaker(turn: &Turn) -> Breaker {
    Breaker {
        n_ineffective: turn.state().compaction_failures,
    }
}

fn check_prefix(engine: &ChatEngine, context: &RequestContext) -> Result<(), BudgetError> {
    let prefix = context.to_provider(context.usage.prefix + context.usage.suffix);
    let settings = engine.settings_in_force();
    Budget::new(&settings).check_prefix(&settings, prefix)
}

/// The context of the next request in a sandbox: pruned and, if that is not enough, without older messages. The
/// session keeps those.
///
/// # Errors
///
/// [`TurnError::DoesNotFit`] if nothing more can be left out.
pub(crate) fn fit_window_in_sandbox(
    runtime: &Runtime,
    turn: &Turn,
    sandbox: &Sandbox,
    extras: &RequestExtras,
    on_event: OnEvent<'_>,
) -> Result<RequestContext, TurnError> {
    let context = assemble_with(runtime, turn.name(), turn.view(), extras)?;
    check_prefix(&runtime.engine, &context)?;
    let tokens = context.to_provider(context.tokens());
    let trigger = context.threshold;
    if tokens >= trigger {
        sandbox.report_no_flush(on_event);
        sandbox.report_no_compaction(on_event);
    }
    if tokens >= sandbox.warn_at.unwrap_or(trigger) {
        sandbox.warn_of_pressure(on_event);
    }
    if context.tokens() <= context.budget.request_max() {
        return Ok(context);
    }
    let cut = truncate(turn.view(), &context.shown, &context.usage, &context.budget);
    let context = match cut.and_then(|cut| without(turn.view(), cut)) {
        Some(view) => assemble_with(runtime, turn.name(), &view, extras)?,
        None => context,
    };
    let excess = context
        .tokens()
        .saturating_sub(context.budget.request_max());
    if excess > TokenCount::ZERO {
        return Err(TurnError::DoesNotFit { excess });
    }
    Ok(context)
}

fn without(view: &View, cut: Truncation) -> Option<View> {
    let oldest = cut.plan.span.first()?;
    let marker = ViewContent::Summary(cut.summary.text);
    let line = ViewItem::new(oldest.entry.clone(), oldest.at, oldest.origin, marker);
    let leaves = |item: &&ViewItem| !cut.plan.span.iter().any(|left| left.entry == item.entry);
    let mut shorter = view.clone();
    shorter.items = view.items.iter().filter(leaves).cloned().collect();
    shorter.items.insert(0, line);
    Some(shorter)
}
