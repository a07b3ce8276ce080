//! One dream: whether it is due, what it reads, what a model makes of that, what takes effect.
//!
//! The only place that joins these stages.

use std::sync::Arc;

use base::disk::DiskError;
use base::{Day, Timestamp, TokenCount, day};
use compaction::{Event as WindowEvent, FlushOutcome};
use dreaming::{
    Conversations, DreamReport, Due, GatherError, LogSize, Material, Moment, SessionStat, Settings,
    Skip, due, gather_logs, gather_session, unread_sessions,
};
use memory::candidates::{Desk, DeskError, DreamState, Review};
use memory::{LedgerError, TombstoneError, WorkspaceError};

use super::conversations::SessionConversations;
use super::night::Night;
use crate::event::Event;
use crate::rest::flush_whole;
use crate::service::rests;
use crate::session_source::SessionSource;
use crate::{Runtime, TurnError};

/// What is asked of a dream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DreamRequest {
    /// Whether it has to be due.
    pub begin: Begin,
    /// Whether old sessions are read, too.
    pub backfill: Backfill,
}

/// Whether a dream has to be due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Begin {
    /// It begins in any case, and moves no trigger.
    Now,
    /// It begins where a trigger fires.
    IfDue {
        /// Since when schedules are looked at.
        since: Timestamp,
        /// Which sessions are flushed first.
        talks: Talks,
    },
}

/// Which sessions a dream that is due flushes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Talks {
    /// All that hold text without notes.
    All,
    /// Those that rest: the dream runs beside a chat or the service, and a talk that goes on is not noted in
    /// its midst.
    Resting,
}

/// Whether old sessions are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backfill {
    /// Only logs are.
    Logs,
    /// Sessions are, as far as no backfill has.
    Sessions,
    /// Sessions are from this day on, whether a backfill has or not.
    SessionsSince(Day),
}

/// What became of a dream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DreamOutcome {
    /// No trigger fires.
    NotDue(Vec<Skip>),
    /// There is nothing new; nothing was asked and nothing written.
    NothingNew(Unread),
    /// `MEMORY.md` cannot be read whole, so that nothing may be written into it: nothing was asked.
    MemoryMisread {
        /// The first line that cannot be read.
        line: usize,
    },
    /// Dreams have spent what they may on this day.
    BudgetSpent {
        /// What was spent.
        spent: TokenCount,
        /// What may be.
        budget: TokenCount,
    },
    /// It ran.
    Dreamt {
        /// What it did.
        report: Box<DreamReport>,
        /// What dreams have spent on this day, and what they may.
        spent: (TokenCount, TokenCount),
        /// The triggers that fired.
        triggers: Vec<String>,
    },
}

/// What a dream that found nothing new knows of what it did not look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Unread {
    /// When the last dream ended that changed anything; `None` where there was none.
    pub dreamt_at: Option<Timestamp>,
    /// Sessions that are older than what it looks at, and that no dream has read.
    pub n_sessions: usize,
}

/// What is told while a dream runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    /// Sessions of a backfill: how many are read, of how many.
    Session {
        /// Read.
        n_done: usize,
        /// In all.
        n_all: usize,
    },
    /// What was said in a session was written into the daily log first.
    Flushed {
        /// The name of the session.
        session: String,
        /// How many notes that made; it may be none.
        n_notes: usize,
    },
    /// Something that the owner should know and that stops nothing.
    Warning(String),
}

/// A dream that broke off; what it had read is read again by the next.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DreamError {
    /// Another process dreams, or the workspace cannot be used.
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
    /// Logs or sessions could not be read.
    #[error(transparent)]
    Gather(#[from] GatherError),
    /// Candidates or memory could not be read or changed.
    #[error(transparent)]
    Desk(#[from] DeskError),
    /// It cannot be told what was forgotten.
    #[error(transparent)]
    Tombstones(#[from] TombstoneError),
    /// It cannot be told what was spent.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// No engine said what deserves to last.
    #[error("no engine says what deserves to last: {reasons}")]
    Model {
        /// What each of them said.
        reasons: String,
    },
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

/// Dreams.
///
/// # Errors
///
/// [`DreamError`]; nothing of the part under way took effect.
pub async fn dream(
    runtime: &Runtime,
    settings: &Settings,
    request: DreamRequest,
    tell: &mut (dyn FnMut(Told) + Send),
) -> Result<DreamOutcome, DreamError> {
    let workspace = &runtime.workspace;
    let _lock = workspace.lock_dream()?;
    let (state, misread_line) = look(runtime)?;
    let conversations = SessionConversations::new(runtime.sessions.clone(), Arc::clone(workspace));
    let mut sessions = conversations.sessions().map_err(GatherError::from)?;
    let due = match begins(runtime, settings, (&state, &sessions), request.begin)? {
        Ok(due) => due,
        Err(skips) => return Ok(DreamOutcome::NotDue(skips)),
    };
    if let Some(line) = misread_line {
        return Ok(DreamOutcome::MemoryMisread { line });
    }
    let talks = Talks::Resting;
    if matches!(request.begin, Begin::IfDue { talks: own, .. } if own == talks) {
        sessions.retain(|session| has_ended(session, due.as_ref(), runtime.clock.now()));
    }
    flush_all(runtime, &sessions, tell).await;
    sessions = conversations.sessions().map_err(GatherError::from)?;
    let due = due.map(|due| with_flushed(due, &sessions));
    let triggers = due.as_ref().map(|due| due.triggers.clone());
    let mut night = Night::new(runtime, settings, due);
    let unread = Unread {
        dreamt_at: state.dreamt_at,
        n_sessions: unread_sessions(
            &sessions,
            (settings, &state),
            (runtime.clock.now(), runtime.timezone),
        ),
    };
    let logs = gather_logs(
        workspace,
        &conversations,
        (settings, &state),
        (runtime.clock.now(), runtime.timezone),
    )?;
    let since = match request.backfill {
        Backfill::Logs => {
            night.pass(&logs, tell).await?;
            return Ok(night.outcome(triggers, unread));
        }
        Backfill::Sessions => None,
        Backfill::SessionsSince(day) => Some(day),
    };
    let old = Old {
        conversations: &conversations,
        sessions: &sessions,
        state: &state,
        since,
    };
    backfill(&mut night, logs, &old, tell).await?;
    let read = Unread {
        n_sessions: 0,
        ..unread
    };
    Ok(night.outcome(triggers, read))
}

/// What a backfill reads.
struct Old<'a> {
    conversations: &'a SessionConversations,
    sessions: &'a [SessionStat],
    state: &'a DreamState,
    since: Option<Day>,
}

/// Reads session after session, each with the notes about it; each takes effect by itself, so that a
/// backfill that is broken off goes on where it was.
async fn backfill(
    night: &mut Night<'_>,
    mut logs: Material,
    old: &Old<'_>,
    tell: &mut (dyn FnMut(Told) + Send),
) -> Result<(), DreamError> {
    let n_all = old.sessions.len();
    let of_sessions: Vec<Material> = old
        .sessions
        .iter()
        .map(|session| logs.take_of(&session.path))
        .collect();
    night.pass(&logs, tell).await?;
    for (n_done, (session, mut material)) in old.sessions.iter().zip(of_sessions).enumerate() {
        tell(Told::Session { n_done, n_all });
        let timezone = night.runtime.timezone;
        let read = gather_session(old.conversations, session, (old.state, old.since), timezone)?;
        material.extend(read);
        if material.is_empty() {
            continue;
        }
        if let Some(why) = night.is_enough()? {
            night.leave(n_all - n_done, why);
            return Ok(());
        }
        night.pass(&material, tell).await?;
    }
    tell(Told::Session {
        n_done: n_all,
        n_all,
    });
    Ok(())
}

/// What is known of dreams, and the first line of `MEMORY.md` that keeps it from being written.
fn look(runtime: &Runtime) -> Result<(DreamState, Option<usize>), DeskError> {
    let desk = Desk::open(&runtime.workspace, runtime.clock.now(), Review::TakeIn)?;
    Ok((desk.state().clone(), desk.misread_memory()))
}

/// Whether the dream begins, and for which triggers; `None` where none was needed.
fn begins(
    runtime: &Runtime,
    settings: &Settings,
    (state, sessions): (&DreamState, &[SessionStat]),
    begin: Begin,
) -> Result<Result<Option<Due>, Vec<Skip>>, DiskError> {
    let Begin::IfDue { since, .. } = begin else {
        return Ok(Ok(None));
    };
    let now = runtime.clock.now();
    let today = day(now, runtime.timezone);
    let moment = Moment {
        now,
        timezone: runtime.timezone,
        since,
        sessions,
        log: Some(LogSize {
            day: today,
            n_bytes: runtime.workspace.log_len(today)?,
        }),
    };
    Ok(due(settings, state, &moment).map(Some))
}

/// A flush adds entries; a session that fell idle is remembered by the one that is last now.
fn with_flushed(mut due: Due, sessions: &[SessionStat]) -> Due {
    for (path, entry) in &mut due.idle {
        let found = sessions.iter().find(|session| session.path == *path);
        if let Some((_, last)) = found.and_then(|session| session.last.as_ref()) {
            *entry = last.to_string();
        }
    }
    due
}

/// Whether a session rests, or fell idle by the owner's measure.
fn has_ended(session: &SessionStat, due: Option<&Due>, now: Timestamp) -> bool {
    let fell_idle = due.is_some_and(|due| due.idle.iter().any(|(path, _)| *path == session.path));
    let last = session.last.as_ref();
    fell_idle || last.is_some_and(|(at, _)| rests(*at, now))
}

/// Writes down what no flush has covered, while the owner may speak. A session with a turn under way is left to
/// that turn.
async fn flush_all(
    runtime: &Runtime,
    sessions: &[SessionStat],
    tell: &mut (dyn FnMut(Told) + Send),
) {
    for session in sessions {
        let Some(name) = SessionSource::name_of(&session.path) else {
            continue;
        };
        let mut warnings = Vec::new();
        let mut n_notes = 0;
        let mut on_event = |event| {
            if let Event::Window(WindowEvent::FlushEnded {
                outcome: FlushOutcome::Written { n_notes: n_written },
                ..
            }) = event
            {
                n_notes += n_written;
            } else if let Event::Warning(warning) = event {
                warnings.push(warning);
            }
        };
        let flushed = flush_whole(runtime, &name, &mut on_event).await;
        match flushed {
            Ok(Some(FlushOutcome::Written { .. } | FlushOutcome::Nothing)) => tell(Told::Flushed {
                session: name.to_string(),
                n_notes,
            }),
            Ok(Some(FlushOutcome::Failed)) => warnings.push(format!(
                "no notes could be made of session {name}; the next dream tries again"
            )),
            Ok(None) | Err(TurnError::Begin(session::BeginTurnError::Locked(..))) => {}
            Err(error) => warnings.push(format!("session {name} was not flushed: {error}")),
        }
        for warning in warnings {
            tell(Told::Warning(warning));
        }
    }
}

#[cfg(test)]
#[path = "run_tests.rs"]
mod tests;
