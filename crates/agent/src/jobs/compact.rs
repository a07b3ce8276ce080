//! The compact stage: replaces older messages by a summary.
//!
//! An attempt that fails or frees too little leaves the history unchanged.

use std::time::Duration;

use base::model::{ModelError, Request, complete};
use base::{EntryId, Origin, TokenCount};
use compaction::{
    AsOf, Breaker, Dropped, Rung, Scale, Strategy, Summarised, Summary, SummaryBrief, SummaryPlan,
    WindowEvent, compaction_entry, plan,
};
use memory::load_tombstones;
use session::{Meta, SessionName, Turn, View, ViewContent, ViewItem};

use crate::error::TurnError;
use crate::event::{Event, OnEvent};
use crate::forgotten_words::ForgottenWords;
use crate::hooks::{HookMoment, HookReport};
use crate::jobs::compaction_events::{call_hooks, report_dropped};
use crate::prompt::{RequestContext, assemble};
use crate::runtime::{HomeAccess, Runtime};
use crate::turn::fit_window::breaker;
use crate::writers::summarise::{FailureReason, RungFailure, SummaryOutcome};

/// How an attempt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AttemptOutcome {
    /// The view is smaller now.
    TookEffect,
    /// The view is unchanged; a rung below `last` may do better.
    Rejected { last: Rung },
}

/// An attempt at a compaction, before it takes effect.
#[derive(Debug)]
pub(crate) struct Attempt {
    pub(crate) first: Rung,
    /// When it began, on the monotonic clock.
    pub(crate) started: Duration,
    /// What leaves the view; `None` if nothing can.
    pub(crate) plan: Option<SummaryPlan>,
    pub(crate) summary: SummaryOutcome,
    /// The provider's count of the compacted request, if it was asked for one.
    pub(crate) recounted: Option<TokenCount>,
}

/// Freezes what leaves the view as the input of a summary, without what the owner had forgotten.
///
/// # Errors
///
/// [`TurnError`] if it is unknown what is forgotten: a summary would repeat it for good.
pub(crate) fn brief(
    home: &HomeAccess,
    turn: &Turn,
    context: &RequestContext,
) -> Result<Option<SummaryBrief>, TurnError> {
    let tombstones = load_tombstones(&home.workspace)?;
    let forgotten = ForgottenWords::read(&home.sessions, &tombstones, turn.name())?;
    let view = forgotten.view_without(turn.view());
    let plan = plan(&view, &context.shown, &context.usage, &context.budget);
    Ok(plan.map(|plan| SummaryBrief {
        plan,
        as_of: AsOf {
            at: home.clock.now(),
            timezone: home.timezone,
        },
        instructions: None,
    }))
}

/// Applies the summary of an attempt if it frees enough, and updates the breaker's count of attempts.
pub(crate) fn conclude(
    runtime: &Runtime,
    turn: &mut Turn,
    context: &RequestContext,
    attempt: Attempt,
    on_event: OnEvent<'_>,
) -> Result<AttemptOutcome, TurnError> {
    let first = attempt.first;
    let was_unreachable = is_unreachable(&attempt.summary.failures);
    let effective = effective(context.budget.strategy, attempt, on_event);
    let before = breaker(turn);
    let rung = effective.as_ref().map(|placed| placed.summary.rung);
    // An unreachable model says nothing about the quality of its summaries, so leave the breaker alone; but where no
    // other rung gives a summary, the owner would wait for the model in each turn.
    let after = if was_unreachable && !context.budget.strategy.asks_once() {
        before
    } else {
        before.after(first, rung)
    };
    let outcome = if let Some(placed) = effective {
        put_in_place(runtime, turn, context, placed, on_event)?;
        keep_count(&runtime.home, turn, after)?;
        AttemptOutcome::TookEffect
    } else {
        report_dropped(runtime, turn.name(), Dropped::Ineffective, on_event);
        if after != before {
            keep_count(&runtime.home, turn, after)?;
        }
        AttemptOutcome::Rejected {
            last: first.max(Rung::Offline),
        }
    };
    if after != before && after.has_opened() {
        on_event(Event::Warning(format!(
            "the model gave no usable summary {} times in a row: summaries are now made offline, with an occasional \
             retry; `openclaw session compact {}` retries at once",
            after.n_ineffective,
            turn.name()
        )));
    }
    Ok(outcome)
}

/// The plan and summary of an attempt, if it frees enough; warns of each failed rung.
fn effective(strategy: Strategy, attempt: Attempt, on_event: OnEvent<'_>) -> Option<Placed> {
    let mut warn = |rung: Rung, reason: &str| {
        on_event(Event::Warning(strategy.failure(rung, reason)));
    };
    for failure in &attempt.summary.failures {
        warn(failure.rung, &failure.reason.to_string());
    }
    let Some(plan) = attempt.plan else {
        warn(attempt.first, "nothing can be compacted");
        return None;
    };
    let summary = attempt.summary.summary?;
    // The chat, and with it the token counts, may have moved on since the summary was requested.
    if !plan.is_effective(&summary.text) {
        let reason = "it would free less than a fifth of what it replaces, or is too large to be shown whole";
        warn(summary.rung, reason);
        return None;
    }
    Some(Placed {
        plan,
        summary,
        started: attempt.started,
        recounted: attempt.recounted,
    })
}

/// Whether models were asked and none could be reached.
fn is_unreachable(failures: &[RungFailure]) -> bool {
    let is_away = |failure: &RungFailure| {
        matches!(
            failure.reason,
            FailureReason::Away(_)
                | FailureReason::Model(
                    ModelError::Unavailable { .. } | ModelError::RateLimited { .. }
                )
        )
    };
    !failures.is_empty() && failures.iter().all(is_away)
}

/// A summary to apply, with its plan, start and recounted size.
struct Placed {
    plan: SummaryPlan,
    summary: Summary,
    started: Duration,
    recounted: Option<TokenCount>,
}

fn put_in_place(
    runtime: &Runtime,
    turn: &mut Turn,
    context: &RequestContext,
    placed: Placed,
    on_event: OnEvent<'_>,
) -> Result<(), TurnError> {
    let Placed { plan, summary, .. } = placed;
    let epoch = turn.state().compaction_count;
    let tokens_before = context.to_provider(plan.tokens_before);
    let estimated = context.to_provider(plan.tokens_after(&summary.text));
    let tokens_after = placed.recounted.unwrap_or(estimated);
    let clock = &runtime.home.clock;
    let ended = WindowEvent::CompactEnded {
        epoch,
        rung: summary.rung,
        old_context_tokens: tokens_before,
        new_context_tokens: tokens_after,
        summary_length: summary.text.chars().count(),
        ratio_percent: plan.ratio_percent(&summary.text),
        retention_percent: summary.retention_percent,
        summarised: (summary.rung != Rung::Truncate).then(|| Summarised::by(&plan, &summary.text)),
        duration: clock.monotonic().saturating_sub(placed.started),
    };
    let (rung, text) = (summary.rung, summary.text.clone());
    let mut entry = compaction_entry(&plan, summary, epoch);
    entry.tokens_before = tokens_before;
    entry.details.tokens_after = Some(tokens_after);
    entry.details.context_window = Some(runtime.engine.settings_in_force().context_window);
    for kept in &plan.keep_first {
        entry.details.keep_first.extend(turn.locate(kept)?);
    }
    match plan.first_kept {
        Some(_) => turn.append_compaction(clock.now(), entry)?,
        None => turn.append_replacement(clock.now(), entry)?,
    };
    runtime.engine.statistics.compacted();
    runtime.jobs.take_start(turn.name());
    on_event(Event::Window(ended));
    let report = HookReport {
        event: HookMoment::AfterCompaction,
        session: turn.name().as_str(),
        epoch: epoch.0,
        strategy: plan.strategy.as_str(),
        messages: Some(plan.n_messages()),
        tokens_before: tokens_before.0,
        tokens_after: Some(tokens_after.0),
        rung: Some(rung.as_str()),
        summary: Some(&text),
        ..HookReport::default()
    };
    call_hooks(runtime, &report, on_event);
    Ok(())
}

/// Appends the whole state even right after a compaction, because resuming reads back no further.
fn keep_count(home: &HomeAccess, turn: &mut Turn, breaker: Breaker) -> Result<(), TurnError> {
    let meta = Meta {
        compaction_failures: breaker.n_ineffective,
        ..turn.state().clone()
    };
    turn.append_meta(home.clock.now(), meta)?;
    Ok(())
}

/// Reply limit of a probe; the reply is discarded.
const PROBE_MAX: TokenCount = TokenCount(16);

/// Asks the provider to count the compacted request, if the summary replaces the whole view and the provider has
/// reported counts before.
pub(crate) async fn recount(
    runtime: &Runtime,
    name: &SessionName,
    context: &RequestContext,
    attempt: &Attempt,
) -> Option<TokenCount> {
    let (plan, summary) = (attempt.plan.as_ref()?, attempt.summary.summary.as_ref()?);
    let is_all_new = matches!(plan.strategy, Strategy::Replace(_)) && plan.first_kept.is_none();
    if !is_all_new || context.scale == Scale::ONE {
        return None;
    }
    let (entry, at) = (EntryId::new("recount"), runtime.home.clock.now());
    let alone = ViewContent::Summary(summary.text.clone());
    let view = View {
        items: vec![ViewItem::new(entry, at, Origin::System, alone)],
        is_cut: false,
    };
    let probe = Request {
        output_max: PROBE_MAX,
        ..assemble(runtime, name, &view).ok()?.to_request()
    };
    let asked = complete(&*runtime.engine.models.primary, &probe);
    let reply = runtime.jobs.timeout().limit(asked).await.ok()?.ok()?;
    let counted = reply.usage?.request();
    (counted > TokenCount::ZERO).then_some(counted)
}
