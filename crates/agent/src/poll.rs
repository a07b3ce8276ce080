//! Polls jobs between turns: takes the lock of a turn for what there is to write, and begins what is needed next.
//!
//! Never holds that lock while a model works.

use compaction::{Action, Event as WindowEvent, FlushOutcome, JobState};
use session::{BeginTurnError, SessionName, Turn};

use crate::backlog::{ENTRIES_MAX, FlushExtent};
use crate::compaction_events::stop_job;
use crate::driver::{
    CompactionNeed, apply_finished_job, begin_compaction, begin_notes, still_waiting,
};
use crate::error::TurnError;
use crate::event::{Event, OnEvent, warn_of_repairs};
use crate::fit_window::decide_on;
use crate::flush::has_unflushed;
use crate::jobs::Work;
use crate::prompt::{RequestExtras, assemble_with};
use crate::runtime::Runtime;
use crate::waiting::begin_turn;

/// More jobs than this do not follow one another: each covers a day of notes or ends an epoch.
const N_JOBS_MAX: usize = 64;

/// How a poll of a session's job ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PollOutcome {
    /// What was ready is in its place; the next job, if one is needed, is under way.
    Done,
    /// A turn of another process holds the session, or a call waits for its result: what is ready waits
    /// for the next turn here.
    Held,
}

/// Puts what is ready in its place and begins what is needed next.
pub fn poll_jobs(
    runtime: &Runtime,
    name: &SessionName,
    on_event: OnEvent<'_>,
) -> Result<PollOutcome, TurnError> {
    let mut turn = match runtime
        .home
        .sessions
        .begin_turn(name, runtime.resume_limit())
    {
        Ok(turn) => turn,
        Err(BeginTurnError::Locked(..)) => return Ok(PollOutcome::Held),
        Err(error) => return Err(error.into()),
    };
    let extras = RequestExtras::default();
    apply_finished_job(runtime, &mut turn, &extras, on_event)?;
    if runtime.jobs.has_news(name) {
        // A call waits for its result: no summary takes its place before.
        return Ok(PollOutcome::Held);
    }
    go_on(runtime, &mut turn, &extras, on_event)?;
    Ok(PollOutcome::Done)
}

/// Waits until nothing goes on in the background of a session, each piece of it to its deadline.
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

/// Writes down what no flush has covered, as much as `extent` takes. The turn is held for what is written, never
/// while a model works, so that the owner can speak meanwhile. `None` where there was nothing to write down.
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
    let mut turn = runtime
        .home
        .sessions
        .begin_turn(name, runtime.resume_limit())?;
    warn_of_repairs(&turn, &mut watch);
    let n_all = turn.unflushed()?.n_entries();
    // Each job covers an entry at least.
    for _ in 0..=n_all {
        if !has_unflushed(&turn)? {
            break;
        }
        if let Some(sandbox) = &runtime.sandbox {
            sandbox.report_no_flush(&mut watch);
            return Ok(Some(FlushOutcome::Nothing));
        }
        let n_failures = turn.state().flush_failures;
        // Another job of the session is not for this one to wait for, nor to end.
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
        // The rest of a flush that failed is left for the next one.
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

/// Ends a job when whoever waits for it waits no more.
struct GivenUp<'a>(Option<(&'a Runtime, &'a SessionName)>);

impl Drop for GivenUp<'_> {
    fn drop(&mut self) {
        if let Some((runtime, name)) = self.0 {
            runtime.jobs.cancel(name);
        }
    }
}

/// Ends what goes on in the background of a session, and says so where a compaction was announced.
pub(crate) fn stop_jobs(runtime: &Runtime, name: &SessionName, on_event: OnEvent<'_>) {
    if stop_job(runtime, name, on_event) {
        let stopped = "The compaction is not finished; the next turn begins it again.";
        on_event(Event::Notice(stopped.to_owned()));
    }
}

/// Begins what waited for the model to be free, or what the size of the next request calls for.
pub(crate) fn go_on(
    runtime: &Runtime,
    turn: &mut Turn,
    extras: &RequestExtras,
    on_event: OnEvent<'_>,
) -> Result<(), TurnError> {
    let waiting = runtime.jobs.take_waiting(turn.name());
    if runtime.jobs.state(&runtime.home.sessions, turn) == JobState::Busy {
        return Ok(());
    }
    if waiting == Some(Work::Notes) {
        return begin_notes(runtime, turn, FlushExtent::BeforeReply, on_event);
    }
    let context = assemble_with(runtime, turn.name(), turn.view(), extras)?;
    if let Action::InBackground { flush, rung } = decide_on(runtime, turn, &context) {
        let need = CompactionNeed { flush, rung };
        begin_compaction(runtime, turn, &context, need, on_event)?;
    }
    Ok(())
}
