//! Fits the next request into the window: prune, count, decide, flush, compact.
//!
//! Only carries out what `compaction` decides. In a sandbox it neither flushes nor compacts: what does not fit is
//! left out of the request alone.

use std::collections::HashSet;
use std::iter;

use base::{EntryId, TokenCount};
use compaction::{
    Action, Budget, BudgetError, Demand, JobState, Pressure, Rung, Truncation, truncate, truncation,
};
use session::{Turn, View, ViewContent, ViewItem};

use crate::error::TurnError;
use crate::event::{Event, OnEvent};
use crate::jobs::compaction::{advance, apply_finished_job, begin_or_defer, stop_job};
use crate::jobs::pass::{CompactionNeed, Pass, decide_on};
use crate::prompt::{RequestContext, RequestExtras, assemble_with};
use crate::runtime::{ChatEngine, Runtime};
use crate::sandbox::Sandbox;

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
    let mut pass = Pass::new(&runtime.engine, turn, Demand::Trigger);
    loop {
        apply_finished_job(runtime, turn, extras, on_event)?;
        let context = assemble_with(runtime, turn.name(), turn.view(), extras)?;
        check_prefix(&runtime.engine, &context)?;
        let action = decide_on(runtime, turn, &context, &pass);
        let need = |flush, rung| CompactionNeed {
            context: &context,
            flush,
            rung,
        };
        let need = match action {
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
                begin_or_defer(runtime, turn, need(flush, rung), on_event)?;
                return Ok(context);
            }
            Action::AfterReply { flush, rung } => {
                if let Some(shorter) = shortened(runtime, turn, &context, extras)? {
                    let need = need(flush, rung);
                    summarise_after_reply(runtime, turn, &shorter, need, on_event)?;
                    return Ok(shorter);
                }
                stop_job(runtime, turn.name(), on_event);
                need(flush, rung)
            }
            Action::Emergency { flush, rung } => {
                if let Some(shorter) = until_summarised(runtime, turn, &context, rung, extras)? {
                    warn(runtime, turn, &context, Pressure::LeftOut, on_event);
                    return Ok(shorter);
                }
                stop_job(runtime, turn.name(), on_event);
                pass.give_up_models();
                need(flush, rung)
            }
            Action::Now { flush, rung } => need(flush, rung),
            Action::Exhausted { excess } => return Err(TurnError::DoesNotFit { excess }),
        };
        // Boxed: rarely needed, and each turn would carry its size.
        Box::pin(advance(runtime, turn, &mut pass, need, on_event)).await?;
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

/// Begins the compaction of a backlog alongside the reply, or leaves it until the model is free. Tells the owner that
/// the model does not see the older messages: in a notice when it begins, in a warning once per epoch otherwise.
fn summarise_after_reply(
    runtime: &Runtime,
    turn: &mut Turn,
    shorter: &RequestContext,
    need: CompactionNeed<'_>,
    on_event: OnEvent<'_>,
) -> Result<(), TurnError> {
    let may_begin = match runtime.jobs.state(&runtime.home.sessions, turn) {
        JobState::Unavailable | JobState::Busy | JobState::Deferred => false,
        JobState::Resting { until } => need.context.tokens() >= until,
        JobState::Free => true,
    };
    if !may_begin {
        warn(runtime, turn, need.context, Pressure::LeftOut, on_event);
        return Ok(());
    }
    let n_shown = shorter.shown.items.iter().filter_map(ViewItem::message);
    on_event(Event::Notice(format!(
        "This conversation is several times as large as the model's window, so for this reply the model sees only the \
         newest {} messages. A summary of the older ones is made after it.",
        n_shown.count()
    )));
    begin_or_defer(runtime, turn, need, on_event)
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
    let marker = ViewContent::Summary(cut.text);
    let line = ViewItem::new(oldest.entry.clone(), oldest.at, oldest.origin, marker);
    let left: HashSet<&EntryId> = cut.plan.span.iter().map(|item| &item.entry).collect();
    let stays = |item: &&ViewItem| !left.contains(&item.entry);
    let staying = view.items.iter().filter(stays).cloned();
    Some(View {
        items: iter::once(line).chain(staying).collect(),
        is_cut: view.is_cut,
    })
}
