//! Polls jobs between turns: takes the turn lock, writes finished results, and starts the next job.
//!
//! Never holds the turn lock while a model works.

use compaction::{Action, FlushOutcome, JobState, WindowEvent};
use session::{BeginTurnError, SessionName, Turn};

use crate::error::TurnError;
use crate::event::{Event, OnEvent};
use crate::jobs::backlog::{ENTRIES_MAX, FlushExtent};
use crate::jobs::compaction_events::stop_job;
use crate::jobs::driver::{
    CompactionNeed, apply_finished_job, begin_compaction, begin_notes, still_waiting,
};
use crate::jobs::flush::has_unflushed;
use crate::jobs::slots::Work;
use crate::prompt::{RequestExtras, assemble_with};
use crate::runtime::Runtime;
use crate::turn::fit_window::decide_on;
use crate::turn::waiting::{begin_now, begin_turn};

/// Limit of consecutive jobs; each covers a day of notes or ends an epoch.
const N_JOBS_MAX: usize = 64;

/// How polling a session's job ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PollOutcome {
    /// Finished results were applied, and the next job, if needed, has started.
    Done,
    /// Another process holds the session, or a tool call waits for its result: the results wait for the next turn of
    /// this process.
    Held,
}

/// Applies finished results and starts the next job if one is needed.
pub fn poll_jobs(
    runtime: &Runtime,
    name: &SessionName,
    on_event: OnEvent<'_>,
) -> Result<PollOutcome, TurnError> {
    let mut turn = match begin_now(runtime, name, on_event) {
        Ok(turn) => turn,
        Err(BeginTurnError::Locked(..)) => return Ok(PollOutcome::Held),
        Err(error) => return Err(error.into()),
    };
    let extras = RequestExtras::default();
    apply_finished_job(runtime, &mut turn, &extras, on_event)?;
    if runtime.jobs.has_news(name) {
        // A tool call waits for its result; no summary may replace messages before it arrives.
        return Ok(PollOutcome::Held);
    }
    start_next_job(runtime, &mut turn, &extras, on_event)?;
    Ok(PollOutcome::Done)
}

/// Waits until a session has no job left, each within its own deadline.
pub async fn finish_jobs(
    runtime: &Runtime,
    name: &SessionName,
    on_event: OnEvent<'_>,
) -> Result<(), TurnError> {
    for _ in 0..N_JOBS_MAX {
        if !runtime.jobs.has_job(name) {
            return Ok(());
        }
        runtime.jobs.news(name).await;
        if poll_jobs(runtime, name, on_event)? == PollOutcome::Held {
            break;
        }
    }
    stop_jobs(runtime, name, on_event);
    Ok(())
}

/// Flushes the backlog as far as `extent` allows. Holds the turn only to write, never while a model works, so the
/// owner can speak in between. `None` if there was nothing to flush.
pub(crate) async fn note_beside(
    runtime: &Runtime,
    name: &SessionName,
    extent: FlushExtent,
    on_event: OnEvent<'_>,
) -> Result<Option<FlushOutcome>, TurnError> {
    let mut outcome = None;
    let mut watch = |event| {
        if let Event::Window(WindowEvent::FlushEnded { outcome: ended, .. }) = &event {
            outcome = Some(*ended);
        }
        on_event(event);
    };
    let mut turn = begin_now(runtime, name, &mut watch)?;
    let n_all = turn.unflushed()?.n_entries();
    // Each job covers at least one entry.
    for _ in 0..=n_all {
        if !has_unflushed(&turn)? {
            break;
        }
        if let Some(sandbox) = &runtime.sandbox {
            sandbox.report_no_flush(&mut watch);
            return Ok(Some(FlushOutcome::Nothing));
        }
        let n_failures = turn.state().flush_failures;
        // Another caller owns the session's job: neither wait for it nor cancel it.
        if runtime.jobs.has_job(name) {
            break;
        }
        begin_notes(runtime, &mut turn, extent, &mut watch)?;
        drop(turn);
        if !runtime.jobs.has_job(name) {
            break;
        }
        let mut given_up = GivenUp(Some((runtime, name)));
        runtime.jobs.news(name).await;
        given_up.0 = None;
        turn = begin_turn(runtime, name, &mut watch).await?;
        apply_finished_job(runtime, &mut turn, &RequestExtras::default(), &mut watch)?;
        // After a failure, leave the rest for the next flush.
        if turn.state().flush_failures > n_failures {
            break;
        }
        if extent == FlushExtent::Portion {
            let n_left = turn.unflushed()?.n_entries();
            let is_taken = n_all.saturating_sub(n_left) >= ENTRIES_MAX;
            if is_taken && has_unflushed(&turn)? {
                watch(still_waiting(n_left));
                break;
            }
        }
    }
    Ok(outcome)
}

/// Cancels a job when its waiter is dropped.
struct GivenUp<'a>(Option<(&'a Runtime, &'a SessionName)>);

impl Drop for GivenUp<'_> {
    fn drop(&mut self) {
        if let Some((runtime, name)) = self.0 {
            runtime.jobs.cancel(name);
        }
    }
}

/// Cancels a session's job and notifies the owner if it was compacting.
pub(crate) fn stop_jobs(runtime: &Runtime, name: &SessionName, on_event: OnEvent<'_>) {
    if stop_job(runtime, name, on_event) {
        let stopped = "The compaction did not finish; the next turn starts it again.";
        on_event(Event::Notice(stopped.to_owned()));
    }
}

/// Starts deferred work, or the compaction that the size of the next request calls for.
pub(crate) fn start_next_job(
    runtime: &Runtime,
    turn: &mut Turn,
    extras: &RequestExtras,
    on_event: OnEvent<'_>,
) -> Result<(), TurnError> {
    let waiting = runtime.jobs.take_waiting(turn.name());
    let state = runtime.jobs.state(&runtime.home.sessions, turn);
    if state == JobState::Busy {
        return Ok(());
    }
    if waiting == Some(Work::Notes) {
        return begin_notes(runtime, turn, FlushExtent::BeforeReply, on_event);
    }
    let context = assemble_with(runtime, turn.name(), turn.view(), extras)?;
    if matches!(state, JobState::Resting { until } if context.tokens() < until) {
        return Ok(());
    }
    if let Action::InBackground { flush, rung } | Action::AfterReply { flush, rung } =
        decide_on(runtime, turn, &context)
    {
        let need = CompactionNeed { flush, rung };
        begin_compaction(runtime, turn, &context, need, on_event)?;
    }
    Ok(())
}
