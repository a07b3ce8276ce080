//! Dreams that begin by themselves: while a chat waits for its owner, after one message, and in the service.
//!
//! Holds nobody up: a dream under way is given up when the owner speaks, and begun anew later.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use base::Timestamp;
use chrono::TimeDelta;
use dreaming::Settings;
use memory::WorkspaceError;
use tokio::task::JoinHandle;

use crate::dream::{Backfill, Begin, DreamError, DreamOutcome, DreamRequest, Talks, dream};
use crate::idle::LOOK_EVERY;
use crate::runtime::Runtime;

/// How long it waits where there was nothing new, or a dream failed.
const REST: Duration = Duration::from_mins(10);

/// How long a command that runs once waits for the end of a dream; what it had read is read again by the next.
const ONCE_MAX: Duration = Duration::from_mins(1);

/// How far back a time of the schedule is caught up when a chat begins.
const CAUGHT_UP: TimeDelta = TimeDelta::days(1);

type Dreamt = Result<DreamOutcome, DreamError>;

/// What the owner should know of a dream that began by itself.
#[derive(Debug)]
pub enum DreamNews {
    /// It changed something.
    Changed {
        /// Lines of `MEMORY.md`.
        n_promoted: usize,
        /// Candidates that wait for review.
        n_staged: usize,
    },
    /// It cannot begin: `MEMORY.md` is not UTF-8 at this line. Said once.
    Misread {
        /// The line, from 1.
        line: usize,
    },
    /// It failed and is tried again.
    Failed(DreamError),
}

/// Dreams that begin when a trigger fires, one at a time.
pub struct Dreams {
    runtime: Arc<Runtime>,
    settings: Settings,
    since: Timestamp,
    next_at: Duration,
    job: Option<JoinHandle<Dreamt>>,
    /// Whether it was told that `MEMORY.md` keeps dreams from beginning.
    is_misread_told: bool,
}

impl Dreams {
    /// The first look is after [`LOOK_EVERY`].
    pub fn begin(runtime: &Runtime, settings: Settings) -> Self {
        Self {
            since: runtime.home.clock.now() - CAUGHT_UP,
            next_at: runtime.home.clock.monotonic() + LOOK_EVERY,
            runtime: Arc::new(runtime.beside()),
            settings,
            job: None,
            is_misread_told: false,
        }
    }

    /// Looks as soon as it can: nobody has just come who would be in the way.
    #[must_use]
    pub fn at_once(mut self) -> Self {
        self.next_at = self.runtime.home.clock.monotonic();
        self
    }

    /// Begins a dream where it is time to look, and one is due.
    pub fn begin_if_due(&mut self) {
        let is_time = self.runtime.home.clock.monotonic() >= self.next_at;
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
            dream(&runtime, &settings, request, &mut |_| {}).await
        }));
    }

    /// Waits for the end of a dream of which the owner should know.
    pub async fn next(&mut self) -> DreamNews {
        while self.job.is_some() {
            if let Some(news) = self.end().await {
                return news;
            }
        }
        pending().await
    }

    /// Dreams once where a dream is due, and gives it up after a while.
    pub async fn once(mut self) -> Option<DreamNews> {
        self.begin_if_due();
        let news = tokio::time::timeout(ONCE_MAX, self.end()).await;
        self.stop().await;
        news.ok().flatten()
    }

    /// Waits for the dream under way; what the owner should know of it.
    async fn end(&mut self) -> Option<DreamNews> {
        let dreamt = self.job.as_mut()?.await;
        self.job = None;
        let clock = &self.runtime.home.clock;
        let (now, at) = (clock.now(), clock.monotonic());
        self.next_at = at + LOOK_EVERY;
        match dreamt {
            Ok(Ok(DreamOutcome::Dreamt { report, .. })) => {
                let (n_promoted, n_staged) = (report.promoted.len(), report.staged.len());
                (n_promoted + n_staged > 0).then_some(DreamNews::Changed {
                    n_promoted,
                    n_staged,
                })
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
                (!is_told).then_some(DreamNews::Misread { line })
            }
            Ok(Err(error)) => {
                self.next_at = at + REST;
                let is_elsewhere =
                    matches!(error, DreamError::Workspace(WorkspaceError::Locked { .. }));
                (!is_elsewhere).then_some(DreamNews::Failed(error))
            }
            // It is not time yet, or it was given up for the owner.
            Ok(Ok(DreamOutcome::NotDue(_))) | Err(_) => None,
        }
    }

    /// Gives up a dream that is under way; what it had read is read again by the next.
    pub async fn stop(&mut self) {
        if let Some(job) = self.job.take() {
            job.abort();
            // Whether it had just come to its end makes no difference here.
            drop(job.await);
        }
    }
}
