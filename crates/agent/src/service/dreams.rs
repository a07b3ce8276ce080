//! Dreams that start on their own: while a chat is idle, after a one-shot command, and in the service.
//!
//! Never blocks a chat: a running dream is aborted when the owner speaks and starts again later.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use base::Timestamp;
use chrono::TimeDelta;
use dreaming::DreamSettings;
use memory::candidates::CandidateId;
use tokio::task::JoinHandle;

use super::look::{Footprint, IdleLook};
use crate::dream::{
    Backfill, Begin, DreamError, DreamOutcome, DreamProgress, DreamRequest, SessionFilter, dream,
};
use crate::jobs::idle::LOOK_EVERY;
use crate::jobs::off_thread::off_thread;
use crate::runtime::Runtime;

/// Wait after a dream that found nothing new or failed.
const REST: Duration = Duration::from_mins(10);

/// How long a one-shot command waits for a dream; the next dream reads the same material again.
const ONCE_MAX: Duration = Duration::from_mins(1);

/// How far back a chat that begins catches up on a missed scheduled time.
const CAUGHT_UP: TimeDelta = TimeDelta::days(1);

type Dreamt = Result<DreamOutcome, DreamError>;

/// A running dream.
struct Dreaming {
    /// Its result, and when another may be due even if nothing changes.
    dreamt: JoinHandle<(Dreamt, Option<Timestamp>)>,
    /// When it began, and the footprint at that time (`None` if it could not be read).
    begun_at: Timestamp,
    footprint: Option<Footprint>,
}

/// News for the owner of a dream that started on its own.
#[derive(Debug)]
pub enum DreamNews {
    /// The dream changed something.
    Changed {
        /// Lines added to `MEMORY.md`.
        n_promoted: usize,
        /// One of these lines, by which an undo finds the change.
        undo: Option<CandidateId>,
        /// Candidates staged for review.
        n_staged: usize,
    },
    /// The dream cannot start because `MEMORY.md` is not valid UTF-8; reported once.
    Misread {
        /// The first invalid line, from 1.
        line: usize,
    },
    /// The dream failed and will be retried.
    Failed(DreamError),
}

/// Starts dreams when a trigger fires, one at a time.
pub struct Dreams {
    runtime: Arc<Runtime>,
    settings: DreamSettings,
    since: Timestamp,
    next_at: Duration,
    job: Option<Dreaming>,
    /// The last check, if it found nothing to do.
    looked: Option<IdleLook>,
    /// Whether [`DreamNews::Misread`] was reported.
    is_misread_reported: bool,
}

impl Dreams {
    /// The first check comes after [`LOOK_EVERY`].
    pub fn begin(runtime: &Runtime, settings: DreamSettings) -> Self {
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

    /// Checks at once, for callers without an owner who has just arrived and would have to wait.
    #[must_use]
    pub fn at_once(mut self) -> Self {
        self.next_at = self.runtime.home.clock.monotonic();
        self
    }

    /// Starts a dream if it is time to check and one may be due.
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
        // If the footprint cannot be read, the dream runs into the same error and reports it.
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
                talks: SessionFilter::Resting,
            },
            backfill: Backfill::Logs,
        };
        tokio::spawn(off_thread(async move {
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

    /// Waits for a dream that yields news for the owner.
    pub async fn next(&mut self) -> DreamNews {
        while self.job.is_some() {
            if let Some(news) = self.end().await {
                return news;
            }
        }
        pending().await
    }

    /// Runs a dream if one is due, for at most a minute and not beyond `interrupted`; it has ended when this returns.
    pub async fn once(mut self, interrupted: impl Future<Output = ()>) -> Option<DreamNews> {
        self.begin_if_due();
        let news = tokio::select! {
            biased;
            news = self.end() => news,
            () = interrupted => None,
            () = tokio::time::sleep(ONCE_MAX) => None,
        };
        self.stop().await;
        news
    }

    /// Waits for the running dream; returns its news for the owner.
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
        self.looked = footprint
            .filter(|_| found_nothing)
            .map(|footprint| IdleLook {
                at: begun_at,
                next,
                footprint,
            });
        match dreamt {
            Ok(Ok(DreamOutcome::Dreamt { report, .. })) => {
                let (n_promoted, n_staged) = (report.promoted.len(), report.staged.len());
                let undo = report.promoted.first().map(|own| own.id.clone());
                (n_promoted + n_staged > 0).then_some(DreamNews::Changed {
                    n_promoted,
                    undo,
                    n_staged,
                })
            }
            Ok(Ok(DreamOutcome::NothingNew(_) | DreamOutcome::BudgetSpent { .. })) => {
                // Past scheduled times count as served: there was nothing to do.
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
                let is_elsewhere = matches!(error, DreamError::Running(_));
                (!is_elsewhere).then_some(DreamNews::Failed(error))
            }
            // Not due yet, or aborted because the owner spoke.
            Ok(Ok(DreamOutcome::NotDue(_))) | Err(_) => None,
        }
    }

    /// Aborts the running dream; the next one reads the same material again.
    pub async fn stop(&mut self) {
        if let Some(job) = self.job.take() {
            job.dreamt.abort();
            // It makes no difference here if the dream had just ended.
            drop(job.dreamt.await);
        }
    }
}

#[cfg(test)]
#[path = "dreams_tests.rs"]
mod tests;
