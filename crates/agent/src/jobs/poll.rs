//! Polls jobs between turns: takes the turn lock, writes finished results, and starts the next job.
//!
//! Never holds the turn lock while a model works.

use compaction::{Action, Demand, JobState};
use session::{BeginTurnError, SessionName, Turn};

use crate::error::TurnError;
use crate::event::{Event, OnEvent};
use crate::jobs::backlog::FlushExtent;
use crate::jobs::compaction::{apply_finished_job, begin_compaction, stop_job};
use crate::jobs::flush::begin_notes;
use crate::jobs::pass::{CompactionNeed, Pass, decide_on};
use crate::jobs::slots::Work;
use crate::prompt::{RequestExtras, assemble_with};
use crate::runtime::Runtime;
use crate::waiting::begin_now;

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
    let pass = Pass::new(&runtime.engine, turn, Demand::Trigger);
    if let Action::InBackground { flush, rung } | Action::AfterReply { flush, rung } =
        decide_on(runtime, turn, &context, &pass)
    {
        let context = &context;
        let need = CompactionNeed {
            context,
            flush,
            rung,
        };
        begin_compaction(runtime, turn, need, on_event)?;
    }
    Ok(())
}
