//! Flushes at the end of a conversation: when a chat ends, before a new session, and when a session is idle.
//!
//! Writes nothing if nothing was said.

use base::day;
use compaction::FlushOutcome;
use session::{BeginTurnError, Reset, SessionName};

use crate::error::TurnError;
use crate::event::OnEvent;
use crate::heartbeat::last_spoken;
use crate::jobs::backlog::{Backlog, FlushExtent};
use crate::jobs::compaction_events::stop_job;
use crate::jobs::driver::flush_notes;
use crate::jobs::idle::is_idle;
use crate::jobs::poll::{finish_jobs, note_beside, stop_jobs};
use crate::runtime::Runtime;
use crate::turn::waiting::{begin_now, begin_turn};
use crate::writers::summarise::Engines;

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

/// Flushes a portion of the backlog at the end of a chat; `None` if there is nothing to flush.
pub async fn end_chat(
    runtime: &Runtime,
    name: &SessionName,
    on_event: OnEvent<'_>,
) -> Result<Option<FlushOutcome>, TurnError> {
    finish_jobs(runtime, name, on_event).await?;
    note_beside(runtime, name, FlushExtent::Portion, on_event).await
}

/// Flushes the whole backlog, for a dream, which can take the time.
pub(crate) async fn flush_whole(
    runtime: &Runtime,
    name: &SessionName,
    on_event: OnEvent<'_>,
) -> Result<Option<FlushOutcome>, TurnError> {
    finish_jobs(runtime, name, on_event).await?;
    note_beside(runtime, name, FlushExtent::Whole, on_event).await
}

/// Flushes a portion of a backlog that was too long to flush before the reply; `None` if there is none, or if another
/// turn holds the session and will flush it.
pub async fn note_long_backlog(
    runtime: &Runtime,
    name: &SessionName,
    on_event: OnEvent<'_>,
) -> Result<Option<FlushOutcome>, TurnError> {
    finish_jobs(runtime, name, on_event).await?;
    if runtime.sandbox.is_some() {
        return Ok(None);
    }
    let turn = match begin_now(runtime, name, on_event) {
        Ok(turn) => turn,
        Err(BeginTurnError::Locked(..)) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let is_short = Backlog::open(&turn, FlushExtent::BeforeReply)?.is_some();
    drop(turn);
    if is_short {
        return Ok(None);
    }
    match note_beside(runtime, name, FlushExtent::Portion, on_event).await {
        Err(TurnError::Begin(BeginTurnError::Locked(..))) => Ok(None),
        noted => noted,
    }
}

/// Like [`end_chat`] after a model could not be reached: uses the offline engine instead of asking again.
pub async fn end_chat_offline(
    runtime: &Runtime,
    name: &SessionName,
    on_event: OnEvent<'_>,
) -> Result<Option<FlushOutcome>, TurnError> {
    // The job waits for the same model.
    stop_jobs(runtime, name, on_event);
    let mut turn = begin_now(runtime, name, on_event)?;
    let (offline, portion) = (Engines::Offline, FlushExtent::Portion);
    flush_notes(runtime, &mut turn, offline, portion, on_event).await
}

/// Flushes a session that is idle or whose last message is from an earlier day; else `None`. Leaves a running job
/// alone.
pub async fn flush_if_idle(
    runtime: &Runtime,
    name: &SessionName,
    on_event: OnEvent<'_>,
) -> Result<Option<FlushOutcome>, TurnError> {
    if runtime.jobs.has_job(name) {
        return Ok(None);
    }
    let turn = begin_now(runtime, name, on_event)?;
    let Some(last) = last_spoken(&turn.view().items).map(|item| item.at) else {
        return Ok(None);
    };
    let now = runtime.home.clock.now();
    let is_past = day(last, runtime.home.timezone) < day(now, runtime.home.timezone);
    drop(turn);
    if !is_idle(last, now) && !is_past {
        return Ok(None);
    }
    note_beside(runtime, name, FlushExtent::Portion, on_event).await
}

#[cfg(test)]
#[path = "session_end_tests.rs"]
mod tests;
