//! Replays a recorded conversation through the real pipeline.
//!
//! Never asks a model for a reply: the recording contains the replies.

use std::time::Duration;

use base::{Clock, FixedClock, SystemClock, Timestamp, TokenCount};
use import::{Recorded, Recording, RecordingError};
use session::{LineContent, Payload, ReplaySource, SessionName, StoredMessage, Turn};

use crate::error::TurnError;
use crate::event::{Event, OnEvent};
use crate::jobs::backlog::FlushExtent;
use crate::jobs::flush::has_unflushed;
use crate::jobs::session_flush::{flush_notes, flush_other_day};
use crate::prompt::{RequestExtras, assemble};
use crate::runtime::{HomeAccess, Runtime};
use crate::turn::fit_window::{fit_window, fit_window_in_sandbox};
use crate::waiting::begin_now;
use crate::writers::summarise::Engines;

/// The clock of a replay: takes dates from the recording and monotonic time from the machine.
#[derive(Debug)]
pub struct ReplayClock {
    dates: FixedClock,
    machine: SystemClock,
}

impl ReplayClock {
    /// Shows the current time until the first message sets the date.
    pub fn new() -> Self {
        let machine = SystemClock::new();
        Self {
            dates: FixedClock::new(machine.now()),
            machine,
        }
    }
}

impl Default for ReplayClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for ReplayClock {
    fn now(&self) -> Timestamp {
        self.dates.now()
    }

    fn monotonic(&self) -> Duration {
        self.machine.monotonic()
    }
}

/// Whether the session may already exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplayMode {
    /// The session must not exist.
    Fresh,
    /// The session may exist if it holds the beginning of the recording.
    Resume,
}

/// The result of a replay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplayReport {
    /// Messages of the recording that the session now holds.
    pub n_messages: u64,
    /// Size of the request that would be sent now.
    pub context_tokens: TokenCount,
}

/// Why a replay failed. Replayed messages stay, and [`ReplayMode::Resume`] continues after them.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The session already exists.
    #[error("session {name} already exists")]
    Exists {
        /// The session.
        name: SessionName,
    },
    /// The session does not hold the beginning of the recording.
    #[error("session {name} does not match this recording: message {number} differs")]
    Differs {
        /// The session.
        name: SessionName,
        /// The first message that differs, from 1.
        number: u64,
    },
    /// A line of the session is damaged, and the messages after it do not continue those before it.
    #[error(
        "line {line} of session {name} is damaged, and messages of the recording are missing there"
    )]
    Damaged {
        /// The session.
        name: SessionName,
        /// The first damaged line, from 1.
        line: u64,
    },
    /// The recording cannot be read.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// A turn failed.
    #[error(transparent)]
    Turn(#[from] TurnError),
}

/// The recording and the target of a replay.
#[derive(Debug, Clone, Copy)]
pub struct ReplayInput<'a> {
    /// The recorded conversation.
    pub recording: &'a Recording,
    /// The target session.
    pub name: &'a SessionName,
    /// Whether the session may already exist.
    pub mode: ReplayMode,
}

/// Replays a recording into a session; `clock` must be the runtime's clock.
///
/// # Errors
///
/// [`ReplayError`]; messages reported as durable stay.
pub async fn replay(
    runtime: &Runtime,
    clock: &ReplayClock,
    source: ReplayInput<'_>,
    on_event: OnEvent<'_>,
) -> Result<ReplayReport, ReplayError> {
    let ReplayInput {
        recording, name, ..
    } = source;
    // Check before locking, so that a refused session is not even repaired...
    if source.mode == ReplayMode::Fresh {
        n_stored(&runtime.home, source)?;
    }
    // Run all work inline, so that a replay gives the same result each time.
    let _still = runtime.jobs.pause_jobs();
    let mut turn = begin_now(runtime, name, on_event).map_err(TurnError::from)?;
    // ...and again under the lock, because another replay may have run in between.
    let n_stored = n_stored(&runtime.home, source)?;
    for warning in recording.warnings() {
        on_event(Event::Warning(warning.clone()));
    }
    let mut at = turn.view().items.last().map(|item| item.at);
    if let Some(at) = at {
        clock.dates.set(at);
    }
    let is_finished = n_stored == recording.n_messages()
        && !has_unflushed(&turn)?
        && !waits_for_compaction(&turn);
    // Fit before the first message too, so that a window too small for the prompt leaves no session behind.
    if !is_finished {
        fit_window(runtime, &mut turn, &RequestExtras::default(), on_event).await?;
    }
    for recorded in recording.messages()? {
        let recorded = recorded?;
        if recorded.index < n_stored {
            continue;
        }
        let said_at = recorded.at.or(at).unwrap_or_else(|| clock.now());
        at = Some(said_at);
        step(runtime, &mut turn, (recorded, said_at), clock, on_event).await?;
    }
    let (all, whole) = (Engines::All, FlushExtent::Whole);
    flush_notes(runtime, &mut turn, all, whole, on_event).await?;
    // In a sandbox nothing leaves the conversation, so the next request leaves it out.
    let context = match &runtime.sandbox {
        Some(sandbox) => {
            let extras = RequestExtras::default();
            fit_window_in_sandbox(runtime, &turn, sandbox, &extras, on_event)?
        }
        None => assemble(runtime, turn.name(), turn.view())?,
    };
    Ok(ReplayReport {
        n_messages: recording.n_messages(),
        context_tokens: context.to_provider(context.tokens()),
    })
}

/// Replays one dated message: flush an earlier day, append, fit the window, report.
async fn step(
    runtime: &Runtime,
    turn: &mut Turn,
    (recorded, at): (Recorded, Timestamp),
    clock: &ReplayClock,
    on_event: OnEvent<'_>,
) -> Result<(), TurnError> {
    flush_other_day(runtime, turn, at, on_event).await?;
    clock.dates.set(at);
    let Recorded {
        index,
        hash,
        origin,
        message,
        ..
    } = recorded;
    let role = message.role();
    let message = StoredMessage {
        source: Some(ReplaySource { hash, index }),
        ..StoredMessage::new(message, origin)
    };
    let entry = turn.append_message(at, message)?;
    let context = fit_window(runtime, turn, &RequestExtras::default(), on_event).await?;
    let context_tokens = context.to_provider(context.tokens());
    on_event(Event::Message {
        index,
        entry,
        role,
        context_tokens,
    });
    Ok(())
}

/// Whether the flush before a compaction has run, but not the compaction.
fn waits_for_compaction(turn: &Turn) -> bool {
    let state = turn.state();
    state.memory_flush_compaction_count == Some(state.compaction_count)
}

/// The number of recorded messages that the session already holds; an error if it must be fresh and exists, or if it
/// holds other messages.
fn n_stored(home: &HomeAccess, source: ReplayInput<'_>) -> Result<u64, ReplayError> {
    let ReplayInput {
        recording,
        name,
        mode,
    } = source;
    if !home.sessions.exists(name).map_err(TurnError::from)? {
        return Ok(0);
    }
    let mut hashes = recording.hashes().iter().zip(0_u64..);
    let mut n_stored = 0;
    let mut has_entries = false;
    let mut damaged = None;
    for line in home.sessions.lines(name).map_err(TurnError::from)? {
        let line = line.map_err(TurnError::from)?;
        if matches!(line.content, LineContent::Header(_)) {
            continue;
        }
        // Any entry, readable or not, means that the session exists.
        if mode == ReplayMode::Fresh {
            return Err(ReplayError::Exists { name: name.clone() });
        }
        has_entries = true;
        let LineContent::Entry(entry) = &line.content else {
            damaged.get_or_insert(line.number);
            continue;
        };
        let Payload::Message(StoredMessage {
            source: Some(source),
            ..
        }) = &entry.payload
        else {
            continue;
        };
        n_stored += 1;
        let expected = hashes.next();
        if expected != Some((&source.hash, source.index)) {
            return Err(differs(name, n_stored, damaged));
        }
    }
    if has_entries && n_stored == 0 {
        return Err(differs(name, 1, damaged));
    }
    Ok(n_stored)
}

/// The error of a mismatch: damage to the session if a damaged line precedes it, else a different recording.
fn differs(name: &SessionName, number: u64, damaged: Option<u64>) -> ReplayError {
    let name = name.clone();
    match damaged {
        Some(line) => ReplayError::Damaged { name, line },
        None => ReplayError::Differs { name, number },
    }
}
