//! Dreams that begin by themselves: while a chat waits for its owner, after one message, and in the service.
//!
//! Holds nobody up: a dream under way is given up when the owner speaks, and begun anew later.

use std::future::pending;
use std::time::Duration;

use agent::{Backfill, Begin, DreamError, DreamOutcome, DreamRequest, Runtime, Talks};
use base::Timestamp;
use chrono::TimeDelta;
use dreaming::Settings;
use memory::WorkspaceError;
use tokio::task::JoinHandle;

use crate::prelude::*;

/// How long it waits before it looks whether a dream is due, and between two looks.
pub(crate) const LOOK_EVERY: Duration = Duration::from_mins(1);

/// How long it waits where there was nothing new, or a dream failed.
const REST: Duration = Duration::from_mins(10);

/// How long a command that runs once waits for the end of a dream; what it had read is read again by the next.
const ONCE_MAX: Duration = Duration::from_mins(1);

/// How far back a time of the schedule is caught up when a chat begins.
const CAUGHT_UP: TimeDelta = TimeDelta::days(1);

type Dreamt = Result<DreamOutcome, DreamError>;

pub(crate) struct Dreams {
    runtime: Arc<Runtime>,
    settings: Settings,
    since: Timestamp,
    next_at: Duration,
    job: Option<JoinHandle<Dreamt>>,
    /// Whether it was told that `MEMORY.md` keeps dreams from beginning.
    is_misread_told: bool,
}

impl Dreams {
    pub(crate) fn begin(runtime: &Runtime, settings: Settings) -> Self {
        Self {
            since: runtime.clock.now() - CAUGHT_UP,
            next_at: runtime.clock.monotonic() + LOOK_EVERY,
            runtime: Arc::new(runtime.beside()),
            settings,
            job: None,
            is_misread_told: false,
        }
    }

    /// Looks as soon as it can: nobody has just come who would be in the way.
    #[must_use]
    pub(crate) fn at_once(mut self) -> Self {
        self.next_at = self.runtime.clock.monotonic();
        self
    }

    /// Looks whether a dream is due, where it is time to look.
    pub(crate) fn begin_if_time(&mut self) {
        let is_time = self.runtime.clock.monotonic() >= self.next_at;
        let is_wanted = !self.settings.triggers.is_empty() && self.runtime.sandbox.is_none();
        if self.job.is_some() || !is_time || !is_wanted {
            return;
        }
        let (runtime, settings) = (Arc::clone(&self.runtime), self.settings.clone());
        let request = DreamRequest {
            begin: Begin::IfDue {
                since: self.since,
                talks: Talks::Resting,
            },
            backfill: Backfill::Logs,
        };
        self.job = Some(tokio::spawn(async move {
            agent::dream(&runtime, &settings, request, &mut |_| {}).await
        }));
    }

    /// Is ready when a dream has come to its end of which the owner should know; says so in words.
    pub(crate) async fn done(&mut self) -> String {
        while self.job.is_some() {
            if let Some(words) = self.end().await {
                return words;
            }
        }
        pending().await
    }

    /// Dreams once where a dream is due, and gives it up after a while; says in words what the owner should know.
    pub(crate) async fn once(mut self) -> Option<String> {
        self.begin_if_time();
        let words = tokio::time::timeout(ONCE_MAX, self.end()).await;
        self.stop().await;
        words.ok().flatten()
    }

    /// The end of the dream under way, in words where the owner should know of it.
    async fn end(&mut self) -> Option<String> {
        let dreamt = self.job.as_mut()?.await;
        self.job = None;
        let clock = &self.runtime.clock;
        let (now, at) = (clock.now(), clock.monotonic());
        self.next_at = at + LOOK_EVERY;
        match dreamt {
            Ok(Ok(DreamOutcome::Dreamt { report, .. })) => {
                in_words(report.promoted.len() as u64, report.staged.len() as u64)
            }
            Ok(Ok(DreamOutcome::NothingNew(_) | DreamOutcome::BudgetSpent { .. })) => {
                // The times that have passed were met: there was nothing to do.
                self.since = now;
                self.next_at = at + REST;
                None
            }
            Ok(Ok(DreamOutcome::MemoryMisread { line })) => {
                self.next_at = at + REST;
                let is_told = std::mem::replace(&mut self.is_misread_told, true);
                (!is_told).then(|| {
                    format!("A dream is due and waits: MEMORY.md is not UTF-8 at line {line}.")
                })
            }
            Ok(Err(error)) => {
                self.next_at = at + REST;
                let is_elsewhere =
                    matches!(error, DreamError::Workspace(WorkspaceError::Locked { .. }));
                let reason = CliError::from(error).one_line();
                (!is_elsewhere).then(|| format!("A dream failed and is tried again: {reason}"))
            }
            // It is not time yet, or it was given up for the owner.
            Ok(Ok(DreamOutcome::NotDue(_))) | Err(_) => None,
        }
    }

    /// Gives up a dream that is under way; what it had read is read again by the next.
    pub(crate) async fn stop(&mut self) {
        if let Some(job) = self.job.take() {
            job.abort();
            // Whether it had just come to its end makes no difference here.
            drop(job.await);
        }
    }
}

fn in_words(n_promoted: u64, n_staged: u64) -> Option<String> {
    let lines = counted(n_promoted, "line", "lines");
    let promoted = format!("promoted {lines} to MEMORY.md (`openclaw dream undo` takes that back)");
    let candidates = counted(n_staged, "candidate waits", "candidates wait");
    let staged = format!("{candidates} for `openclaw dream review`");
    let what = match (n_promoted, n_staged) {
        (0, 0) => return None,
        (0, _) => staged,
        (_, 0) => promoted,
        (_, _) => format!("{promoted}; {staged}"),
    };
    Some(format!("A dream: {what}."))
}
