//! The one driver of flush and compaction: plans a step, runs it, and applies its results.
//!
//! A step is awaited here or spawned as a job whose results a later turn applies. Writes only under the turn lock.

use base::disk::Lock;
use base::{EntryId, Timestamp};
use compaction::{
    Dropped, FlushMode, FlushNeed, FlushOutcome, Rung, SummaryBrief, SummaryPlan, is_safe_point,
    plan_up_to, truncation,
};
use session::{BeginTurnError, Turn};

use crate::error::TurnError;
use crate::event::{Event, OnEvent};
use crate::jobs::backlog::{Backlog, ENTRIES_MAX, FlushExtent};
use crate::jobs::compact;
use crate::jobs::compact::{Attempt, AttemptOutcome, brief, recount};
use crate::jobs::compaction_events::{report_dropped, report_orphaned, report_start};
use crate::jobs::flush;
use crate::jobs::flush::{FlushOrder, FlushProgress, announce, has_unflushed};
use crate::jobs::slots::{JobBasis, Work};
use crate::jobs::step::{AnnouncedFlush, JobResult, Step, SummaryOrder, is_one_reading};
use crate::prompt::{RequestContext, RequestExtras, assemble_with};
use crate::runtime::{HomeAccess, Runtime};
use crate::writers::summarise::{Engines, SummaryOutcome};

#[derive(Debug, Clone, Copy)]
pub(crate) struct CompactionNeed {
    pub(crate) flush: FlushNeed,
    pub(crate) rung: Rung,
}

pub(crate) struct CompactionOrder {
    pub(crate) first: Rung,
    /// The owner's instructions for the summary.
    pub(crate) instructions: Option<String>,
    /// The flush of the leaving messages, if one request yields both its notes and the summary.
    pub(crate) flush: Option<AnnouncedFlush>,
}

/// Flushes the backlog as far as the order allows, one block per day.
///
/// Only the last block of a flush before a compaction moves the marker. A failure is reported as an event; the next
/// flush retries it, together with whatever the order leaves out.
pub(crate) async fn flush(
    runtime: &Runtime,
    turn: &mut Turn,
    order: &FlushOrder,
    on_event: OnEvent<'_>,
) -> Result<FlushProgress, TurnError> {
    if let Some(sandbox) = &runtime.sandbox {
        sandbox.report_no_flush(on_event);
        return Ok(FlushProgress::Over(FlushOutcome::Nothing));
    }
    let Some(mut backlog) = Backlog::open(turn, order.extent)? else {
        return Ok(FlushProgress::Over(FlushOutcome::Nothing));
    };
    let n_all = backlog.n_entries();
    loop {
        let announced = match announce(&runtime.home, turn, order, &mut backlog, on_event)? {
            FlushProgress::Announced(part) if order.through.is_none() || !part.is_last => part,
            ended @ (FlushProgress::Announced(_) | FlushProgress::Over(_)) => return Ok(ended),
        };
        let is_last = announced.is_last;
        let step = Step {
            engines: order.engines,
            ..step(runtime, turn, Some(announced), None)
        };
        let result = awaited(&step).await;
        let outcome = conclude_notes(&runtime.home, turn, &step, &result, on_event)?;
        let outcome = outcome.unwrap_or(FlushOutcome::Nothing);
        if is_last || outcome == FlushOutcome::Failed {
            return Ok(FlushProgress::Over(outcome));
        }
        let n_left = backlog.n_entries();
        if order.extent == FlushExtent::Portion && n_all - n_left >= ENTRIES_MAX && n_left > 0 {
            on_event(still_waiting(n_left));
            return Ok(FlushProgress::Over(outcome));
        }
        // Let other tasks, such as the owner's input, run between two parts.
        tokio::task::yield_now().await;
    }
}

/// Reports how many messages remain after a partial flush.
pub(crate) fn still_waiting(n_entries: usize) -> Event {
    Event::Notice(format!(
        "{n_entries} messages still have no notes: later commands write them in batches; `openclaw dream --now` writes \
         them all at once."
    ))
}

/// Flushes the backlog as session notes, as far as `extent` allows; `None` if there is nothing to flush.
pub(crate) async fn flush_notes(
    runtime: &Runtime,
    turn: &mut Turn,
    engines: Engines,
    extent: FlushExtent,
    on_event: OnEvent<'_>,
) -> Result<Option<FlushOutcome>, TurnError> {
    if !has_unflushed(turn)? {
        return Ok(None);
    }
    let order = FlushOrder::notes(engines, extent);
    match flush(runtime, turn, &order, on_event).await? {
        FlushProgress::Over(outcome) => Ok(Some(outcome)),
        FlushProgress::Announced(_) => Ok(None),
    }
}

/// Flushes the whole backlog before some of it leaves the conversation; an error if the flush fails.
pub(crate) async fn flush_leaving(
    runtime: &Runtime,
    turn: &mut Turn,
    on_event: OnEvent<'_>,
) -> Result<Option<FlushOutcome>, TurnError> {
    let (all, whole) = (Engines::All, FlushExtent::Whole);
    let flushed = flush_notes(runtime, turn, all, whole, on_event).await?;
    if flushed == Some(FlushOutcome::Failed) {
        let name = turn.name().clone();
        return Err(TurnError::NotWrittenDown { name });
    }
    Ok(flushed)
}

/// Flushes messages of an earlier day before the first message of the day of `at` is appended. Spawns a job if it
/// can; the owner waits only if no job may run.
pub(crate) async fn flush_other_day(
    runtime: &Runtime,
    turn: &mut Turn,
    at: Timestamp,
    on_event: OnEvent<'_>,
) -> Result<(), TurnError> {
    let today = runtime.home.day(at);
    let newest = turn.view().items.last().map(|item| item.at);
    let is_other_day = newest.is_some_and(|newest| runtime.home.day(newest) != today);
    if !is_other_day || !has_unflushed(turn)? {
        return Ok(());
    }
    if !runtime.jobs.may_work() {
        let extent = runtime.jobs.extent_in_turn();
        flush_notes(runtime, turn, Engines::All, extent, on_event).await?;
    } else if runtime.engine.models.can_work_beside() {
        begin_notes(runtime, turn, FlushExtent::BeforeReply, on_event)?;
    } else {
        runtime.jobs.put_off(turn, Work::Notes);
    }
    Ok(())
}

/// Makes a summary with the ordered rung or a lower one, and applies it.
pub(crate) async fn compact(
    runtime: &Runtime,
    turn: &mut Turn,
    context: &RequestContext,
    order: CompactionOrder,
    on_event: OnEvent<'_>,
) -> Result<AttemptOutcome, TurnError> {
    let first = order.first;
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
    let result = awaited(&step).await;
    conclude_notes(&runtime.home, turn, &step, &result, on_event)?;
    let mut attempt = Attempt {
        first,
        started: step.started,
        plan: step.summary.map(|order| order.brief.plan),
        summary: result.take_summary(),
        recounted: None,
    };
    if let Some(cut) = cut {
        attempt.summary = SummaryOutcome::of(Some(cut.summary), Vec::new());
        attempt.plan = Some(cut.plan);
    }
    attempt.recounted = recount(runtime, turn.name(), context, &attempt).await;
    compact::conclude(runtime, turn, context, attempt, on_event)
}

/// Spawns a compaction: first the flush if needed, then the summary.
pub(crate) fn begin_compaction(
    runtime: &Runtime,
    turn: &mut Turn,
    context: &RequestContext,
    need: CompactionNeed,
    on_event: OnEvent<'_>,
) -> Result<(), TurnError> {
    let Some(lock) = lock(&runtime.home, turn)? else {
        return Ok(());
    };
    let first = need.rung;
    let brief = brief(&runtime.home, turn, context)?;
    let order = FlushOrder {
        mode: FlushMode::BeforeCompaction,
        engines: Engines::All,
        extent: FlushExtent::BeforeReply,
        through: brief.as_ref().and_then(|brief| read_through(brief, first)),
    };
    let announced = match need.flush {
        FlushNeed::Needed => first_part(&runtime.home, turn, &order, on_event)?,
        FlushNeed::Done => None,
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

/// Spawns a flush as far as `extent` allows, without a compaction after it.
pub(crate) fn begin_notes(
    runtime: &Runtime,
    turn: &mut Turn,
    extent: FlushExtent,
    on_event: OnEvent<'_>,
) -> Result<(), TurnError> {
    let Some(lock) = lock(&runtime.home, turn)? else {
        return Ok(());
    };
    let order = FlushOrder::notes(Engines::All, extent);
    if let Some(announced) = first_part(&runtime.home, turn, &order, on_event)? {
        let step = step(runtime, turn, Some(announced), None);
        runtime.jobs.begin(turn, step, lock);
    }
    Ok(())
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
    let outcome = compact::conclude(runtime, turn, &context, attempt, on_event)?;
    let until = match outcome {
        AttemptOutcome::TookEffect => None,
        AttemptOutcome::Rejected { .. } => Some(context.tokens() + context.budget.growth_min()),
    };
    runtime.jobs.rest(&name, until);
    Ok(())
}

/// The last leaving message, if one request at this rung yields both notes and summary.
pub(crate) fn read_through(brief: &SummaryBrief, rung: Rung) -> Option<EntryId> {
    let (_, last) = brief.plan.ends()?;
    is_one_reading(&brief.plan.strategy, rung).then_some(last)
}

fn step(
    runtime: &Runtime,
    turn: &Turn,
    flush: Option<AnnouncedFlush>,
    summary: Option<SummaryOrder>,
) -> Step {
    Step {
        flush,
        engines: Engines::All,
        summary,
        writers: runtime.writers(turn.view()),
        started: runtime.home.clock.monotonic(),
    }
}

/// Runs a step inline.
async fn awaited(step: &Step) -> JobResult {
    let result = JobResult::default();
    step.make(&result).await;
    result
}

/// Writes the notes that a step has made; `None` if it has none.
fn conclude_notes(
    home: &HomeAccess,
    turn: &mut Turn,
    step: &Step,
    result: &JobResult,
    on_event: OnEvent<'_>,
) -> Result<Option<FlushOutcome>, TurnError> {
    let made = step.flush.as_ref().zip(result.take_notes());
    made.map(|(announced, notes)| flush::conclude(home, turn, announced, notes, on_event))
        .transpose()
}

/// Locks a session's job; `None` if another process holds the lock.
fn lock(home: &HomeAccess, turn: &Turn) -> Result<Option<Lock>, TurnError> {
    match home.sessions.lock_background(turn.name()) {
        Ok(lock) => Ok(Some(lock)),
        Err(BeginTurnError::Locked(..)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The first part of a flush that needs a model; `None` if there is none, or if the backlog exceeds the extent.
fn first_part(
    home: &HomeAccess,
    turn: &mut Turn,
    order: &FlushOrder,
    on_event: OnEvent<'_>,
) -> Result<Option<AnnouncedFlush>, TurnError> {
    let Some(mut backlog) = Backlog::open(turn, order.extent)? else {
        return Ok(None);
    };
    match announce(home, turn, order, &mut backlog, on_event)? {
        FlushProgress::Announced(announced) => Ok(Some(announced)),
        FlushProgress::Over(_) => Ok(None),
    }
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
