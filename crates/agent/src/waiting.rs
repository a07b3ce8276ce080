//! Waits for a session's turn that another process or task holds.
//!
//! While it waits, holds only its ticket in the queue.

use std::time::Duration;

use session::{BeginTurnError, SessionName, Turn};

use crate::event::{Event, OnEvent};
use crate::runtime::Runtime;

/// Default wait of a message for its turn: longer than most replies take.
pub const TURN_TIMEOUT: Duration = Duration::from_mins(1);

const TELL_AFTER: Duration = Duration::from_secs(2);

const POLL: Duration = Duration::from_millis(50);

/// Begins a turn of a session once it is free and earlier waiters have had theirs; gives up after the runtime's
/// timeout. Warns of repairs to the transcript.
///
/// # Errors
///
/// [`BeginTurnError::Locked`] after the timeout.
pub(crate) async fn begin_turn(
    runtime: &Runtime,
    name: &SessionName,
    on_event: OnEvent<'_>,
) -> Result<Turn, BeginTurnError> {
    let turn = wait(runtime, name, on_event).await?;
    warn_of_repairs(runtime, &turn, on_event);
    Ok(turn)
}

async fn wait(
    runtime: &Runtime,
    name: &SessionName,
    on_event: OnEvent<'_>,
) -> Result<Turn, BeginTurnError> {
    let (sessions, limit) = (&runtime.home.sessions, runtime.resume_limit());
    let timeout = runtime.turn_timeout;
    if timeout.is_zero() || !sessions.is_waited_for(name)? {
        match sessions.begin_turn(name, limit) {
            Err(BeginTurnError::Locked(..)) if !timeout.is_zero() => {}
            begun => return begun,
        }
    }
    let mut waited = Duration::ZERO;
    let ticket = loop {
        match sessions.queue(name) {
            Err(BeginTurnError::Locked(..)) if waited < timeout => {
                tokio::time::sleep(POLL).await;
                waited += POLL;
            }
            taken => break taken?,
        }
    };
    let mut is_told = false;
    loop {
        let begun = sessions.begin_turn_with(&ticket, name, limit);
        let Err(BeginTurnError::Locked(_, pid)) = &begun else {
            return begun;
        };
        if waited >= timeout {
            return begun;
        }
        if !is_told && waited >= TELL_AFTER {
            is_told = true;
            on_event(Event::WaitingForTurn {
                session: name.clone(),
                pid: *pid,
            });
        }
        tokio::time::sleep(POLL).await;
        waited += POLL;
    }
}

/// Begins a turn of a session without a wait, and warns of repairs to its transcript.
pub(crate) fn begin_now(
    runtime: &Runtime,
    name: &SessionName,
    on_event: OnEvent<'_>,
) -> Result<Turn, BeginTurnError> {
    let sessions = &runtime.home.sessions;
    let turn = sessions.begin_turn(name, runtime.resume_limit())?;
    warn_of_repairs(runtime, &turn, on_event);
    Ok(turn)
}

/// Warns once per process: damage stays in the file, so each turn reads it again.
fn warn_of_repairs(runtime: &Runtime, turn: &Turn, on_event: OnEvent<'_>) {
    for repair in runtime.jobs.unreported(turn) {
        on_event(Event::Warning(format!("session {}: {repair}", turn.name())));
    }
}

#[cfg(test)]
#[path = "waiting_tests.rs"]
mod tests;
