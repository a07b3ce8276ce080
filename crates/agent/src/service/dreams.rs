//! Dreams that begin by themselves: while a chat waits for its owner, after one message, and in the service.
//!
//! Blocks no chat: a running dream is given up when the owner speaks, and begins again later.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use base::Timestamp;
use chrono::TimeDelta;
use dreaming::Settings;
use memory::WorkspaceError;
use tokio::task::JoinHandle;

use super::look::{Footprint, Look};
use crate::aside::aside;
use crate::dream::{
    Backfill, Begin, DreamError, DreamOutcome, DreamProgress, DreamRequest, Talks, dream,
};
use crate::idle::LOOK_EVERY;
use crate::runtime::Runtime;

/// How long it waits where there was nothing new, or a dream failed.
const REST: Duration = Duration::from_mins(10);

/// How long a command that runs once waits for the end of a dream; what it had read is read again by the next.
const ONCE_MAX: Duration = Duration::from_mins(1);

/// How far back a time of the schedule is caught up when a chat begins.
const CAUGHT_UP: TimeDelta = TimeDelta::days(1);

type Dreamt = Result<DreamOutcome, DreamError>;

/// A dream under way.
struct Dreaming {
    /// How it ends, and when another may be due though nothing changes.
    dreamt: JoinHandle<(Dreamt, Option<Timestamp>)>,
    /// When it began, and what was there then; `None` where that cannot be told.
    begun_at: Timestamp,
    footprint: Option<Footprint>,
}

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
    job: Option<Dreaming>,
    /// The last look, where it found nothing to do.
    looked: Option<Look>,
    /// Whether it was reported that `MEMORY.md` keeps dreams from beginning.
    is_misread_reported: bool,
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
            looked: None,
            is_misread_reported: false,
        }
    }

    /// Looks at once: no owner has just arrived who would be kept waiting.
    #[must_use]
    pub fn at_once(mut self) -> Self {
        self.next_at = self.runtime.home.clock.monotonic();
        self
    }

    /// Begins a dream where it is time to look, and one may be due.
    pub fn begin_if_due(&mut self) {
        let is_wanted = !self.settings.triggers.is_empty() && self.runtime.sandbox.is_none();
        if self.job.is_some() || !is_wanted {
            return;
        }
        let home = &self.runtime.home;
        let (now, at) = (home.clock.now(), home.clock.monotonic());
        let is_past = self.looked.as_ref().is_some_and(|look| look.is_past(now));
        if at < self.next_at && !is_past {
            return;
        }
        // What cannot be told is found out by the dream, which says why.
        let footprint = Footprint::of(home).ok();
        if let (Some(look), Some(footprint)) = (&self.looked, &footprint)
            && look.holds(now, footprint)
        {
            self.next_at = at + LOOK_EVERY;
            return;
        }
        self.job = Some(Dreaming {
            dreamt: self.dreaming(),
            begun_at: now,
            footprint,
        });
    }

    fn dreaming(&self) -> JoinHandle<(Dreamt, Option<Timestamp>)> {
        let (runtime, settings) = (Arc::clone(&self.runtime), self.settings.clone());
        let request = DreamRequest {
            begin: Begin::IfDue {
                since: self.since,
                talks: Talks::Resting,
            },
            backfill: Backfill::Logs,
        };
        tokio::spawn(aside(async move {
            let mut next = None;
            let mut tell = |progress| {
                if let DreamProgress::NextDue(at) = progress {
                    next = at;
                }
            };
            let dreamt = dream(&runtime, &settings, request, &mut tell).await;
            (dreamt, next)
        }))
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
        let ended = (&mut self.job.as_mut()?.dreamt).await;
        let (begun_at, footprint) = self.job.take().map(|job| (job.begun_at, job.footprint))?;
        let clock = &self.runtime.home.clock;
        let (now, at) = (clock.now(), clock.monotonic());
        self.next_at = at + LOOK_EVERY;
        let (dreamt, next) = match ended {
            Ok((dreamt, next)) => (Ok(dreamt), next),
            Err(error) => (Err(error), None),
        };
        let found_nothing = matches!(
            dreamt,
            Ok(Ok(DreamOutcome::NotDue(_) | DreamOutcome::NothingNew(_)))
        );
        self.looked = footprint.filter(|_| found_nothing).map(|footprint| Look {
            at: begun_at,
            next,
            footprint,
        });
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
                let is_told = std::mem::replace(&mut self.is_misread_reported, true);
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
            job.dreamt.abort();
            // Whether it had just come to its end makes no difference here.
            drop(job.dreamt.await);
        }
    }
}

#[cfg(test)]
#[path = "dreams_tests.rs"]
mod tests;
