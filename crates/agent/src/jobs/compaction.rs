//! Compactions, awaited or spawned: an older part of the view is replaced by a summary.
//!
//! An attempt that fails or frees too little leaves the history unchanged. Start and end are reported in pairs; the
//! start is kept with the session, because a compaction may end in a later turn or be dropped with one. Writes only
//! under the turn lock.

use base::EntryId;
use compaction::{
    AsOf, Breaker, Dropped, FlushMode, FlushNeed, Rung, Summarised, SummaryBrief, SummaryPlan,
    WindowEvent, compaction_entry, is_safe_point, plan, plan_up_to, truncation,
};
use session::{Meta, SessionName, Turn};

use crate::error::TurnError;
use crate::event::{Event, OnEvent};
use crate::hooks::{HookMoment, HookReport};
use crate::jobs::attempt::{Attempt, Placed, effective, is_unreachable};
use crate::jobs::backlog::{FlushExtent, FlushOrder};
use crate::jobs::flush::{FlushProgress, begin_job, conclude_notes, flush, make, step};
use crate::jobs::pass::{AttemptOutcome, CompactionNeed, Pass, breaker};
use crate::jobs::recount::recount;
use crate::jobs::slots::{JobBasis, StartedCompaction, Work};
use crate::jobs::step::{AnnouncedFlush, SummaryOrder};
use crate::prompt::{RequestContext, RequestExtras, assemble_with};
use crate::runtime::{HomeAccess, Runtime};
use crate::writers::summarise::{Engines, SummaryOutcome};

/// A compaction to make.
pub(crate) struct CompactionOrder<'a> {
    /// The request that it makes smaller.
    pub(crate) context: &'a RequestContext,
    pub(crate) first: Rung,
    /// The owner's instructions for the summary.
    pub(crate) instructions: Option<String>,
    /// The flush of the leaving messages, if one request yields both its notes and the summary.
    pub(crate) flush: Option<AnnouncedFlush>,
}

/// Flushes if needed, else tries the rung; returns whether older messages have left the view.
pub(crate) async fn advance(
    runtime: &Runtime,
    turn: &mut Turn,
    pass: &mut Pass,
    need: CompactionNeed<'_>,
    on_event: OnEvent<'_>,
) -> Result<bool, TurnError> {
    let CompactionNeed { context, rung, .. } = need;
    let mut announced = None;
    if need.flush == FlushNeed::Needed && !pass.has_flushed {
        let brief = brief(&runtime.home, turn, context)?;
        let order = FlushOrder {
            mode: FlushMode::BeforeCompaction,
            engines: pass.engines,
            extent: runtime.jobs.extent_in_turn(),
            through: brief.and_then(|brief| read_through(&brief, rung)),
        };
        let flushed = flush(runtime, turn, &order, on_event).await?;
        pass.has_flushed = true;
        match flushed {
            FlushProgress::Over(_) => return Ok(false),
            FlushProgress::Announced(last) => announced = Some(last),
        }
    }
    let order = CompactionOrder {
        context,
        first: rung,
        instructions: None,
        flush: announced,
    };
    let outcome = compact(runtime, turn, order, on_event).await?;
    let has_left = outcome == AttemptOutcome::TookEffect;
    if has_left {
        runtime.jobs.rest(turn.name(), None);
    }
    pass.continue_after(outcome, turn);
    Ok(has_left)
}

/// Makes a summary with the ordered rung or a lower one, and applies it.
pub(crate) async fn compact(
    runtime: &Runtime,
    turn: &mut Turn,
    order: CompactionOrder<'_>,
    on_event: OnEvent<'_>,
) -> Result<AttemptOutcome, TurnError> {
    let CompactionOrder { context, first, .. } = order;
    let cut = || truncation(turn.view(), &context.shown, &context.usage, &context.budget);
    let cut = (first == Rung::Truncate).then(cut).flatten();
    if first == Rung::Truncate && cut.is_none() {
        return Ok(AttemptOutcome::Rejected { last: first });
    }
    let brief = if first == Rung::Truncate {
        None
    } else {
        brief(&runtime.home, turn, context)?
    };
    let leaving = brief.as_ref().map(|brief| &brief.plan);
    report_start(runtime, turn, context, leaving, on_event);
    let instructions = order.instructions;
    let summary = brief.map(|brief| SummaryOrder {
        brief: SummaryBrief {
            instructions,
            ..brief
        },
        first,
    });
    let step = step(runtime, turn, order.flush, summary);
    let made = make(runtime, turn, step, on_event).await?;
    let mut attempt = Attempt {
        first,
        started: made.step.started,
        plan: made.step.summary.map(|order| order.brief.plan),
        summary: made.result.take_summary(),
        recounted: None,
    };
    if let Some(cut) = cut {
        attempt.summary = SummaryOutcome::of(Some(cut.audited()), Vec::new());
        attempt.plan = Some(cut.plan);
    }
    let compacted = attempt.plan.as_ref().zip(attempt.summary.summary.as_ref());
    if let Some((plan, summary)) = compacted {
        attempt.recounted = recount(runtime, turn.name(), context, (plan, summary)).await;
    }
    conclude(runtime, turn, context, attempt, on_event)
}

/// Spawns a compaction alongside the reply, or defers it until the model is free.
pub(crate) fn begin_or_defer(
    runtime: &Runtime,
    turn: &mut Turn,
    need: CompactionNeed<'_>,
    on_event: OnEvent<'_>,
) -> Result<(), TurnError> {
    if runtime.engine.models.can_work_beside() {
        return begin_compaction(runtime, turn, need, on_event);
    }
    runtime.jobs.put_off(turn, Work::Compaction);
    Ok(())
}

/// Spawns a compaction: first the flush if needed, then the summary.
pub(crate) fn begin_compaction(
    runtime: &Runtime,
    turn: &mut Turn,
    need: CompactionNeed<'_>,
    on_event: OnEvent<'_>,
) -> Result<(), TurnError> {
    let (context, first) = (need.context, need.rung);
    let brief = brief(&runtime.home, turn, context)?;
    let order = FlushOrder {
        mode: FlushMode::BeforeCompaction,
        engines: Engines::All,
        extent: FlushExtent::BeforeReply,
        through: brief.as_ref().and_then(|brief| read_through(brief, first)),
    };
    let order = (need.flush == FlushNeed::Needed).then_some(&order);
    let Some((lock, announced)) = begin_job(&runtime.home, turn, order, on_event)? else {
        return Ok(());
    };
    let is_flushed_after = announced.as_ref().is_none_or(|announced| announced.is_last);
    let brief = brief.filter(|_| is_flushed_after);
    if let Some(brief) = &brief {
        report_start(runtime, turn, context, Some(&brief.plan), on_event);
    }
    let summary = brief.map(|brief| SummaryOrder { brief, first });
    let step = step(runtime, turn, announced, summary);
    runtime.jobs.begin(turn, step, lock);
    Ok(())
}

/// The last leaving message, if one request at this rung yields both notes and summary.
fn read_through(brief: &SummaryBrief, rung: Rung) -> Option<EntryId> {
    let (_, last) = brief.plan.ends()?;
    brief.plan.strategy.notes_with_summary(rung).then_some(last)
}

/// Freezes the messages that leave the view as the input of a summary, without text that the owner asked to forget.
///
/// # Errors
///
/// [`TurnError`] if it is unknown which text is forgotten: a summary would repeat it for good.
fn brief(
    home: &HomeAccess,
    turn: &Turn,
    context: &RequestContext,
) -> Result<Option<SummaryBrief>, TurnError> {
    let forgotten = home.forgotten_words::<TurnError>(turn.name())?;
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

/// Applies the finished parts of a session's job: writes its notes and, at a safe point, its summary.
///
/// Drops the job if the conversation has moved to another branch or another process has flushed or compacted its
/// span.
pub(crate) fn apply_finished_job(
    runtime: &Runtime,
    turn: &mut Turn,
    extras: &RequestExtras,
    on_event: OnEvent<'_>,
) -> Result<(), TurnError> {
    let name = turn.name().clone();
    report_orphaned(runtime, &name, on_event);
    let Some(mut job) = runtime.jobs.take_with_news(&name) else {
        return Ok(());
    };
    if !job.basis.holds(turn) {
        if job.is_summarising() {
            report_given_up(runtime, turn, on_event);
        }
        return Ok(());
    }
    conclude_notes(&runtime.home, turn, &job.step, &job.result, on_event)?;
    job.basis.intent.clone_from(&turn.state().intent);
    let is_over = job.result.is_over();
    let first = job.step.summary.as_ref().map(|order| order.first);
    if !is_over || first.is_some() && !is_safe_point(&turn.view().items) {
        runtime.jobs.put_back(&name, job);
        return Ok(());
    }
    let Some(first) = first else {
        return Ok(());
    };
    let context = assemble_with(runtime, &name, turn.view(), extras)?;
    let Some(plan) = plan_again(turn, &context, &job.basis) else {
        report_given_up(runtime, turn, on_event);
        return Ok(());
    };
    let attempt = Attempt {
        first,
        started: job.step.started,
        plan: Some(plan),
        summary: job.result.take_summary(),
        recounted: None,
    };
    let outcome = conclude(runtime, turn, &context, attempt, on_event)?;
    let until = match outcome {
        AttemptOutcome::TookEffect => None,
        AttemptOutcome::Rejected { .. } => Some(context.tokens() + context.budget.growth_min()),
    };
    runtime.jobs.rest(&name, until);
    Ok(())
}

fn report_given_up(runtime: &Runtime, turn: &Turn, on_event: OnEvent<'_>) {
    report_dropped(runtime, turn.name(), Dropped::Cancelled, on_event);
    let given_up = "The compaction was cancelled: the messages it summarised have changed since.";
    on_event(Event::Notice(given_up.to_owned()));
}

/// The plan for the same span, recomputed now; `None` if the span is no longer on the leaf's path.
fn plan_again(turn: &Turn, context: &RequestContext, basis: &JobBasis) -> Option<SummaryPlan> {
    let first_kept = basis.first_kept.as_ref()?;
    let (shown, usage, budget) = (&context.shown, &context.usage, &context.budget);
    let plan = plan_up_to(turn.view(), shown, first_kept, usage, budget)?;
    let entries = plan.span.iter().map(|item| &item.entry);
    entries.eq(&basis.span).then_some(plan)
}

/// Applies the summary of an attempt if it frees enough, and updates the breaker's count of attempts.
fn conclude(
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
        let compact = format!("session compact {}", turn.name());
        on_event(Event::Warning(format!(
            "the model gave no usable summary {} times in a row: summaries are now made offline, with an occasional \
             retry; `{}` retries at once",
            after.n_ineffective,
            runtime.home.invocation.command(&compact)
        )));
    }
    Ok(outcome)
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

/// Reports that a compaction starts; `plan` holds the messages to be summarised, if it makes a summary.
fn report_start(
    runtime: &Runtime,
    turn: &Turn,
    context: &RequestContext,
    plan: Option<&SummaryPlan>,
    on_event: OnEvent<'_>,
) {
    report_dropped(runtime, turn.name(), Dropped::Cancelled, on_event);
    let epoch = turn.state().compaction_count;
    let tokens = context.to_provider(context.tokens());
    let started = StartedCompaction {
        epoch,
        tokens,
        at: runtime.home.clock.monotonic(),
    };
    runtime.jobs.note_start(turn.name(), started);
    let threshold = context.threshold;
    let report = HookReport {
        event: HookMoment::BeforeCompaction,
        session: turn.name().as_str(),
        epoch: epoch.0,
        strategy: context.budget.strategy.as_str(),
        messages: plan.map(SummaryPlan::n_messages),
        tokens_before: tokens.0,
        threshold: Some(threshold.0),
        ..HookReport::default()
    };
    call_hooks(runtime, &report, on_event);
    on_event(Event::Window(WindowEvent::CompactStarted {
        current_context_tokens: tokens,
        threshold,
        summarised: plan.map(Summarised::of),
    }));
}

/// Reports that a started compaction changed nothing; silent if none was started.
fn report_dropped(runtime: &Runtime, name: &SessionName, reason: Dropped, on_event: OnEvent<'_>) {
    if let Some(started) = runtime.jobs.take_start(name) {
        let now = runtime.home.clock.monotonic();
        on_event(Event::Window(WindowEvent::CompactDropped {
            epoch: started.epoch,
            reason,
            context_tokens: started.tokens,
            duration: now.saturating_sub(started.at),
        }));
    }
}

/// Reports the end of a compaction that was dropped with its turn or by another session, unless a job still works on
/// it.
pub(crate) fn report_orphaned(runtime: &Runtime, name: &SessionName, on_event: OnEvent<'_>) {
    if !runtime.jobs.has_job(name) {
        report_dropped(runtime, name, Dropped::Cancelled, on_event);
    }
}

/// Cancels the jobs of this process if the model serves one request at a time: the owner's message needs it.
pub(crate) fn preempt_jobs(runtime: &Runtime, turn: &Turn, on_event: OnEvent<'_>) {
    if !runtime.engine.models.can_work_beside() && runtime.jobs.preempt_for(turn.name()) {
        report_dropped(runtime, turn.name(), Dropped::Cancelled, on_event);
        let waits = "The compaction waits for this reply: the model serves one request at a time.";
        on_event(Event::Notice(waits.to_owned()));
    }
}

/// Cancels a session's job and reports it; returns whether it was making a summary.
pub(crate) fn stop_job(runtime: &Runtime, name: &SessionName, on_event: OnEvent<'_>) -> bool {
    let was_summarising = runtime.jobs.cancel(name);
    report_dropped(runtime, name, Dropped::Cancelled, on_event);
    was_summarising
}

fn call_hooks(runtime: &Runtime, report: &HookReport<'_>, on_event: OnEvent<'_>) {
    let Some(hooks) = &runtime.hooks else {
        return;
    };
    let failures = match serde_json::to_string(report) {
        Ok(told) => hooks.call(report.event, &told),
        Err(error) => vec![error.to_string()],
    };
    for failure in failures {
        on_event(Event::Warning(format!("a hook failed: {failure}")));
    }
}
