//! Runs one dream: checks whether it is due, flushes, gathers, asks a model, and applies the result.

use std::sync::Arc;

use base::disk::DiskError;
use base::{Day, Timestamp, Tz};
use compaction::{FlushOutcome, WindowEvent};
use dreaming::{
    Conversations, DreamSettings, DueDream, GatherError, Material, Moment, NotedDays, Reach,
    SessionStat, Skip, due, gather_logs, gather_session, next_due, noted_days, unread_from,
    unread_sessions,
};
use memory::candidates::{Access, DreamState, MemoryTxnError};
use memory::{FileError, sweep};

use super::conversations::SessionConversations;
use super::outcome::{
    Backfill, Begin, DreamError, DreamOutcome, DreamProgress, DreamRequest, SessionFilter, Unread,
};
use super::pass::DreamRun;
use crate::error::TurnError;
use crate::event::Event;
use crate::jobs::idle::is_idle;
use crate::jobs::session_flush::{FlushReason, flush};
use crate::knowledge::session_source::SessionSource;
use crate::runtime::{HomeAccess, Runtime};

/// Runs a dream. If the dream must be due, checks that first.
///
/// # Errors
///
/// [`DreamError`]; the failing pass has had no effect.
pub async fn dream(
    runtime: &Runtime,
    settings: &DreamSettings,
    request: DreamRequest,
    tell: &mut (dyn FnMut(DreamProgress) + Send),
) -> Result<DreamOutcome, DreamError> {
    let workspace = &runtime.home.workspace;
    let _lock = workspace.lock_dream().map_err(|error| {
        if let FileError::Locked { pid, .. } = error {
            DreamError::Running(pid)
        } else {
            error.into()
        }
    })?;
    let (state, misread_line) = look(&runtime.home)?;
    let conversations =
        SessionConversations::new(runtime.home.sessions.clone(), Arc::clone(workspace));
    let mut sessions = conversations.sessions().map_err(GatherError::from)?;
    if matches!(request.begin, Begin::IfDue { .. }) {
        let clock = (runtime.home.clock.now(), runtime.home.timezone);
        tell(DreamProgress::NextDue(next_due(settings, &sessions, clock)));
    }
    let due = match begins(&runtime.home, settings, &state, &sessions, request.begin)? {
        Ok(due) => due,
        Err(skips) => return Ok(DreamOutcome::NotDue(skips)),
    };
    if let Some(line) = misread_line {
        return Ok(DreamOutcome::MemoryMisread { line });
    }
    let talks = SessionFilter::Resting;
    if matches!(request.begin, Begin::IfDue { talks: own, .. } if own == talks) {
        sessions.retain(|session| has_ended(session, due.as_ref(), runtime.home.clock.now()));
    }
    flush_all(runtime, &sessions, tell).await;
    // What cannot be taken out now stays hidden, and `doctor` reports it.
    drop(sweep(workspace, runtime.home.clock.now()));
    sessions = conversations.sessions().map_err(GatherError::from)?;
    let due = due.map(|due| with_flushed(due, &sessions));
    let triggers = due.as_ref().map(|due| due.triggers.clone());
    let mut run = DreamRun::new((runtime, &conversations), settings, due);
    let now = (runtime.home.clock.now(), runtime.home.timezone);
    let unread = Unread {
        dreamt_at: state.dreamt_at,
        n_sessions: unread_sessions(&sessions, (settings, &state), now),
    };
    let since = match request.backfill {
        Backfill::Logs => {
            dream_of_logs(&mut run, &conversations, settings, tell).await?;
            return run.outcome(triggers, unread);
        }
        Backfill::Sessions => None,
        Backfill::SessionsSince(day) => Some(day),
    };
    let reach = since.map_or(Reach::Always, Reach::Since);
    let logs = gather_logs(workspace, &conversations, (settings, &state, reach), now)?;
    let old = Old {
        conversations: &conversations,
        sessions: &sessions,
        noted: noted_days(workspace)?,
        state: &state,
        since,
    };
    backfill(&mut run, logs, &old, tell).await?;
    let read = Unread {
        n_sessions: 0,
        ..unread
    };
    run.outcome(triggers, read)
}

/// Reads the new notes, once more after each pass that reached its limit of lines.
async fn dream_of_logs(
    run: &mut DreamRun<'_>,
    conversations: &SessionConversations,
    settings: &DreamSettings,
    tell: &mut (dyn FnMut(DreamProgress) + Send),
) -> Result<(), DreamError> {
    let home = &run.runtime.home;
    loop {
        let (state, _) = look(home)?;
        let now = (home.clock.now(), home.timezone);
        let reach = (settings, &state, Reach::Lately);
        let mut logs = gather_logs(&home.workspace, conversations, reach, now)?;
        let mut is_full = false;
        loop {
            let part = logs.take_first(PASS_ITEMS_MAX);
            is_full |= run.pass(&part, tell).await?.is_full;
            if logs.items.is_empty() {
                break;
            }
        }
        if !is_full {
            return Ok(());
        }
    }
}

/// Maximum number of notes and messages that one pass reads, so that the next one sees what it has written.
const PASS_ITEMS_MAX: usize = 120;

/// The input of a backfill.
struct Old<'a> {
    conversations: &'a SessionConversations,
    sessions: &'a [SessionStat],
    noted: NotedDays,
    state: &'a DreamState,
    since: Option<Day>,
}

/// Reads all notes, oldest first, and between them the messages about which there are none. Each pass takes effect by
/// itself, so an interrupted backfill continues where it stopped.
async fn backfill(
    run: &mut DreamRun<'_>,
    mut notes: Material,
    old: &Old<'_>,
    tell: &mut (dyn FnMut(DreamProgress) + Send),
) -> Result<(), DreamError> {
    let timezone = run.runtime.home.timezone;
    let mut sessions: Vec<&SessionStat> = old.sessions.iter().collect();
    sessions.sort_by_key(|session| session.last.as_ref().map(|(at, _)| *at));
    let n_all = sessions.len();
    for (n_done, session) in sessions.into_iter().enumerate() {
        tell(DreamProgress::Session { n_done, n_all });
        let messages = old.unread(session, timezone)?;
        if messages.is_empty() {
            continue;
        }
        let last = messages.items.last().map(|item| item.day);
        let before = last.map_or(0, |last| notes.n_until(last));
        let mut parts = notes.take_first(before);
        if !in_parts(run, &mut parts, tell).await?
            || !read_session(run, (old, session), messages, tell).await?
        {
            run.leave(parts.n_days() + notes.n_days() + n_all - n_done);
            return Ok(());
        }
    }
    tell(DreamProgress::Session {
        n_done: n_all,
        n_all,
    });
    if !in_parts(run, &mut notes, tell).await? {
        run.leave(notes.n_days());
    }
    Ok(())
}

impl Old<'_> {
    /// The part of a session that a dream must read.
    fn unread(&self, session: &SessionStat, timezone: Tz) -> Result<Material, GatherError> {
        self.unread_from(
            session,
            unread_from(session, self.state, self.since),
            timezone,
        )
    }

    fn unread_from(
        &self,
        session: &SessionStat,
        from: u64,
        timezone: Tz,
    ) -> Result<Material, GatherError> {
        let which = (self.state, self.since, &self.noted);
        gather_session(self.conversations, (session, from), which, timezone)
    }
}

/// Reads the messages of a session part by part, and reads again the messages that a pass left; returns whether the
/// budget sufficed for all of them. After a pass that left its first message, the parts are smaller; if it is the only
/// one, the rest of the session waits for the next backfill.
async fn read_session(
    run: &mut DreamRun<'_>,
    (old, session): (&Old<'_>, &SessionStat),
    mut messages: Material,
    tell: &mut (dyn FnMut(DreamProgress) + Send),
) -> Result<bool, DreamError> {
    let timezone = run.runtime.home.timezone;
    let mut n_items = PASS_ITEMS_MAX;
    while !messages.is_empty() {
        if run.is_enough()? {
            return Ok(false);
        }
        let part = messages.take_first(n_items);
        let end = run.pass(&part, tell).await?;
        let reached = end.reached.get(&session.path).copied();
        let (Some(wanted), Some(reached)) = (part.backfilled.get(&session.path), reached) else {
            continue;
        };
        if reached >= *wanted {
            continue;
        }
        let begins = part.items.first().and_then(|item| item.offset);
        if !end.is_full && Some(reached) <= begins {
            n_items = part.items.len() / 2;
        }
        if n_items == 0 {
            return Ok(true);
        }
        messages = old.unread_from(session, reached, timezone)?;
    }
    Ok(true)
}

/// Reads notes part by part, a part again after each pass that reached its limit of lines; returns whether the budget
/// allowed it to the end.
async fn in_parts(
    run: &mut DreamRun<'_>,
    material: &mut Material,
    tell: &mut (dyn FnMut(DreamProgress) + Send),
) -> Result<bool, DreamError> {
    while !material.is_empty() {
        if run.is_enough()? {
            return Ok(false);
        }
        let part = material.take_first(PASS_ITEMS_MAX);
        while run.pass(&part, tell).await?.is_full {
            if run.is_enough()? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// The dream state, and the first unreadable line of `MEMORY.md`.
fn look(home: &HomeAccess) -> Result<(DreamState, Option<usize>), MemoryTxnError> {
    let desk = home.desk(Access::Write)?;
    Ok((desk.state().clone(), desk.misread_memory()))
}

/// The triggers of a dream that may start (`None` if none was needed), or why it may not.
fn begins(
    home: &HomeAccess,
    settings: &DreamSettings,
    state: &DreamState,
    sessions: &[SessionStat],
    begin: Begin,
) -> Result<Result<Option<DueDream>, Vec<Skip>>, DiskError> {
    let Begin::IfDue { since, .. } = begin else {
        return Ok(Ok(None));
    };
    let now = home.clock.now();
    let moment = Moment {
        now,
        timezone: home.timezone,
        since,
        sessions,
        n_log_bytes: home.workspace.log_len(home.day(now))?,
    };
    Ok(due(settings, state, &moment).map(Some))
}

/// Updates the last entry of each idle session, because a flush appends entries.
fn with_flushed(mut due: DueDream, sessions: &[SessionStat]) -> DueDream {
    for (path, entry) in &mut due.idle {
        let found = sessions.iter().find(|session| session.path == *path);
        if let Some((_, last)) = found.and_then(|session| session.last.as_ref()) {
            *entry = last.to_string();
        }
    }
    due
}

fn has_ended(session: &SessionStat, due: Option<&DueDream>, now: Timestamp) -> bool {
    let fell_idle = due.is_some_and(|due| due.idle.iter().any(|(path, _)| *path == session.path));
    let last = session.last.as_ref();
    fell_idle || last.is_some_and(|(at, _)| is_idle(*at, now))
}

/// Flushes sessions with new messages while the owner may keep talking. A session with a running turn is left to that
/// turn.
async fn flush_all(
    runtime: &Runtime,
    sessions: &[SessionStat],
    tell: &mut (dyn FnMut(DreamProgress) + Send),
) {
    for session in sessions.iter().filter(|session| !session.is_flushed) {
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
        let flushed = flush(runtime, &name, FlushReason::Dream, &mut on_event).await;
        match flushed {
            Ok(Some(FlushOutcome::Written { .. } | FlushOutcome::Nothing)) => {
                tell(DreamProgress::Flushed {
                    session: name.to_string(),
                    n_notes,
                });
            }
            Ok(Some(FlushOutcome::Failed)) => warnings.push(format!(
                "no notes could be made for session {name}; the next dream will retry"
            )),
            Err(TurnError::Begin(session::BeginTurnError::Locked(..))) => {
                let session = name.to_string();
                tell(DreamProgress::InUse { session });
            }
            Ok(None) => {}
            Err(error) => warnings.push(format!("session {name} was not flushed: {error}")),
        }
        for warning in warnings {
            tell(DreamProgress::Warning(warning));
        }
    }
}

#[cfg(test)]
#[path = "run_tests.rs"]
mod tests;
