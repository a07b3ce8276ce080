//! The ways to flush a session: when its chat ends, at a new conversation, on a new day, when it is idle, and for
//! dreams.
//!
//! Writes nothing if nothing was said.

use base::{Timestamp, day};
use compaction::{FlushOutcome, WindowEvent};
use session::{BeginTurnError, Reset, SessionName, Turn};

use crate::error::TurnError;
use crate::event::{Event, OnEvent};
use crate::heartbeat::last_spoken;
use crate::jobs::backlog::{Backlog, ENTRIES_MAX, FlushExtent, FlushOrder};
use crate::jobs::compaction::{apply_finished_job, stop_job};
use crate::jobs::flush::{
    FlushProgress, begin_notes, flush as flush_backlog, has_unflushed, still_waiting,
};
use crate::jobs::idle::is_idle;
use crate::jobs::poll::{finish_jobs, stop_jobs};
use crate::jobs::slots::Work;
use crate::prompt::RequestExtras;
use crate::runtime::Runtime;
use crate::waiting::{begin_now, begin_turn};
use crate::writers::summarise::Engines;

/// Why a session is flushed. The reason decides how much is flushed, and what happens to a job that still runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlushReason {
    /// The chat ends: running jobs are finished, then a portion of the backlog is flushed.
    ChatEnd,
    /// The chat ends after its model could not be reached: the offline engine writes the notes, and a running job,
    /// which waits for the same model, is stopped.
    ChatEndOffline,
    /// The backlog was too long to flush before a reply; a shorter one is left to the next turn, as is a session that
    /// another turn holds.
    LongBacklog,
    /// The session is idle, or its last message is of an earlier day; a session with a running job is left alone.
    Idle,
    /// A dream, which has time for the whole backlog.
    Dream,
}

/// Flushes a session; `None` if nothing is to be flushed for this reason.
pub async fn flush(
    runtime: &Runtime,
    name: &SessionName,
    reason: FlushReason,
    on_event: OnEvent<'_>,
) -> Result<Option<FlushOutcome>, TurnError> {
    match reason {
        FlushReason::ChatEnd | FlushReason::LongBacklog | FlushReason::Dream => {
            finish_jobs(runtime, name, on_event).await?;
        }
        FlushReason::ChatEndOffline => stop_jobs(runtime, name, on_event),
        FlushReason::Idle => {}
    }
    let is_due = match reason {
        FlushReason::Idle => is_at_rest(runtime, name, on_event)?,
        FlushReason::LongBacklog => has_long_backlog(runtime, name, on_event)?,
        FlushReason::ChatEnd | FlushReason::ChatEndOffline | FlushReason::Dream => true,
    };
    if !is_due {
        return Ok(None);
    }
    if reason == FlushReason::ChatEndOffline {
        let mut turn = begin_now(runtime, name, on_event)?;
        let (offline, portion) = (Engines::Offline, FlushExtent::Portion);
        return flush_notes(runtime, &mut turn, offline, portion, on_event).await;
    }
    let extent = if reason == FlushReason::Dream {
        FlushExtent::Whole
    } else {
        FlushExtent::Portion
    };
    match flush_beside(runtime, name, extent, on_event).await {
        Err(TurnError::Begin(BeginTurnError::Locked(..))) if reason == FlushReason::LongBacklog => {
            Ok(None)
        }
        flushed => flushed,
    }
}

/// Flushes the session and appends a reset; `None` if nothing was said since the last one.
pub async fn new_session(
    runtime: &Runtime,
    name: &SessionName,
    on_event: OnEvent<'_>,
) -> Result<Option<Reset>, TurnError> {
    // The reset empties the view, so a running compaction is useless.
    stop_job(runtime, name, on_event);
    let mut turn = begin_turn(runtime, name, on_event).await?;
    let (all, portion) = (Engines::All, FlushExtent::Portion);
    flush_notes(runtime, &mut turn, all, portion, on_event).await?;
    if turn.view().items.is_empty() {
        return Ok(None);
    }
    Ok(Some(turn.append_reset(runtime.home.clock.now())?))
}

/// Whether the backlog is too long to be flushed before a reply. In a sandbox it is not flushed at all.
fn has_long_backlog(
    runtime: &Runtime,
    name: &SessionName,
    on_event: OnEvent<'_>,
) -> Result<bool, TurnError> {
    if runtime.sandbox.is_some() {
        return Ok(false);
    }
    let turn = match begin_now(runtime, name, on_event) {
        Ok(turn) => turn,
        Err(BeginTurnError::Locked(..)) => return Ok(false),
        Err(error) => return Err(error.into()),
    };
    Ok(Backlog::open(&turn, FlushExtent::BeforeReply)?.is_none())
}

/// Whether a session without a running job is idle, or its last message is of an earlier day.
fn is_at_rest(
    runtime: &Runtime,
    name: &SessionName,
    on_event: OnEvent<'_>,
) -> Result<bool, TurnError> {
    if runtime.jobs.has_job(name) {
        return Ok(false);
    }
    let turn = begin_now(runtime, name, on_event)?;
    let Some(last) = last_spoken(&turn.view().items).map(|item| item.at) else {
        return Ok(false);
    };
    let now = runtime.home.clock.now();
    let is_past = day(last, runtime.home.timezone) < day(now, runtime.home.timezone);
    Ok(is_idle(last, now) || is_past)
}

/// Flushes the backlog as far as `extent` allows. Holds the turn only to write, never while a model works, so the
/// owner can speak in between. `None` if there was nothing to flush.
async fn flush_beside(
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
    let all = turn.unflushed()?;
    let (n_all, newest) = (all.n_entries(), all.newest_offset());
    // Each job covers at least one entry.
    for _ in 0..=n_all {
        if !has_unflushed(&turn)? {
            break;
        }
        // A whole flush leaves what the owner sends meanwhile to the next one: in a busy chat there is always more.
        if extent == FlushExtent::Whole && turn.unflushed()?.oldest_offset() > newest {
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
        let mut wait = CancelOnDrop(Some((runtime, name)));
        runtime.jobs.news(name).await;
        wait.0 = None;
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
                watch(still_waiting(n_left, &runtime.home.invocation));
                break;
            }
        }
    }
    Ok(outcome)
}

/// Cancels a job when its waiter is dropped.
struct CancelOnDrop<'a>(Option<(&'a Runtime, &'a SessionName)>);

impl Drop for CancelOnDrop<'_> {
    fn drop(&mut self) {
        if let Some((runtime, name)) = self.0 {
            runtime.jobs.cancel(name);
        }
    }
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
    match flush_backlog(runtime, turn, &order, on_event).await? {
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

#[cfg(test)]
#[path = "session_flush_tests.rs"]
mod tests;
