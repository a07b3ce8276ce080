//! Flushes idle sessions, for a service that has no session of its own.
//!
//! Checks only transcript lengths, and opens a transcript only when its notes are due.

use std::collections::HashMap;
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use compaction::FlushOutcome;
use session::{BeginTurnError, SessionName};
use tokio::task::JoinHandle;

use crate::error::TurnError;
use crate::jobs::idle::{
    Activity, ActivitySnapshot, LOOK_EVERY, NextFlush, UnflushedState, next_flush,
};
use crate::jobs::off_thread::off_thread;
use crate::jobs::session_flush::{FlushReason, flush};
use crate::knowledge::scope::Repository;
use crate::runtime::Runtime;

/// News of an idle session for the owner.
#[derive(Debug)]
pub enum NotesNews {
    /// Notes were written.
    Written {
        session: SessionName,
        /// Number of notes.
        n_notes: usize,
    },
    /// No notes could be made; retried after the next message in the session.
    Failed {
        session: SessionName,
        /// The error; `None` if the engines failed.
        error: Option<TurnError>,
    },
}

type IdleFlush = Result<Option<FlushOutcome>, TurnError>;

/// Flushes idle sessions, one at a time.
pub(super) struct IdleNotes {
    runtime: Arc<Runtime>,
    known: HashMap<SessionName, Activity>,
    next_at: Duration,
    job: Option<(SessionName, JoinHandle<IdleFlush>)>,
}

impl IdleNotes {
    pub(super) fn new(runtime: Arc<Runtime>) -> Self {
        Self {
            next_at: runtime.home.clock.monotonic(),
            runtime,
            known: HashMap::new(),
            job: None,
        }
    }

    /// Checks the sessions if it is time, and starts a flush if one is due. Returns whether a transcript has changed
    /// since the last check.
    pub(super) fn begin_if_due(&mut self) -> bool {
        let now = self.runtime.home.clock.monotonic();
        if self.job.is_some() || now < self.next_at || self.runtime.sandbox.is_some() {
            return false;
        }
        self.next_at = now + LOOK_EVERY;
        // If the folder cannot be listed, opening a session reports it.
        let mut names = self.runtime.home.sessions.names().unwrap_or_default();
        // Sessions of a repository are private to it, but notes are visible everywhere.
        names.retain(|name| Repository::of_session(name.as_str()).is_none());
        let sessions = self.runtime.home.sessions.clone();
        let is_ours = |name: &SessionName| Repository::holding(&sessions, name).is_none();
        self.known.retain(|name, _| names.contains(name));
        let mut has_grown = false;
        let mut due = None;
        for name in names {
            let snapshot = ActivitySnapshot::of(&self.runtime, &name);
            let known = self.known.get(&name).copied();
            has_grown |= known.is_some_and(|known| known.seen.len != snapshot.len);
            // On the first check nothing is known of a session; its transcript dates the last message.
            let next = known.map_or(NextFlush::Now, |known| next_flush(known, snapshot));
            match next {
                NextFlush::Now if due.is_none() && is_ours(&name) => due = Some(name),
                NextFlush::Now => {}
                NextFlush::In(_, activity) => {
                    self.known.insert(name, activity);
                }
            }
        }
        if let Some(name) = due {
            self.begin(name);
        }
        has_grown
    }

    fn begin(&mut self, name: SessionName) {
        let runtime = Arc::clone(&self.runtime);
        let own = name.clone();
        let job = tokio::spawn(off_thread(async move {
            flush(&runtime, &own, FlushReason::Idle, &mut |_| {}).await
        }));
        self.job = Some((name, job));
    }

    /// Waits for a flush that yields news for the owner.
    pub(super) async fn next(&mut self) -> NotesNews {
        while let Some((session, job)) = &mut self.job {
            let session = session.clone();
            let flushed = job.await;
            self.job = None;
            // More sessions may be due.
            self.next_at = self.runtime.home.clock.monotonic();
            let Ok(flushed) = flushed else { break };
            if matches!(flushed, Err(TurnError::Begin(BeginTurnError::Locked(..)))) {
                // A turn holds the session; the next check is soon enough.
                self.next_at += LOOK_EVERY;
                break;
            }
            self.remember(&session, &flushed);
            let error = match flushed {
                Ok(Some(FlushOutcome::Written { n_notes })) => {
                    return NotesNews::Written { session, n_notes };
                }
                Ok(Some(FlushOutcome::Nothing) | None) => {
                    self.begin_if_due();
                    continue;
                }
                Ok(Some(FlushOutcome::Failed)) => None,
                Err(error) => Some(error),
            };
            return NotesNews::Failed { session, error };
        }
        pending().await
    }

    /// Records the attempt; a session that was not yet idle on its first check stays due.
    fn remember(&mut self, session: &SessionName, flushed: &IdleFlush) {
        let is_early = matches!(flushed, Ok(None)) && !self.known.contains_key(session);
        let unflushed = if is_early {
            UnflushedState::Waiting
        } else {
            UnflushedState::Tried
        };
        let activity = Activity::now(ActivitySnapshot::of(&self.runtime, session), unflushed);
        self.known.insert(session.clone(), activity);
    }

    /// Aborts the running flush; its span waits for the next.
    pub(super) async fn stop(&mut self) {
        if let Some((_, job)) = self.job.take() {
            job.abort();
            drop(job.await);
        }
    }
}

#[cfg(test)]
#[path = "notes_tests.rs"]
mod tests;
