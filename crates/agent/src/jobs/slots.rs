//! The background jobs of this process: notes and summaries made while the chat continues, one job per session.
//!
//! Starts, holds and drops jobs; never inspects their results.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base::disk::Lock;
use base::{EntryId, TokenCount, locked};
use compaction::{JobState, Pressure};
use session::{BeginTurnError, Epoch, FlushIntent, Repair, SessionName, SessionStore, Turn};
use tokio::runtime::Handle;
use tokio::task::JoinHandle;

use crate::jobs::backlog::FlushExtent;
use crate::jobs::off_thread::off_thread;
use crate::jobs::step::{JobResult, Step};
use crate::writers::asking::Timeout;

/// A compaction whose start was reported, but not its end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StartedCompaction {
    pub(crate) epoch: Epoch,
    pub(crate) tokens: TokenCount,
    /// Start on the monotonic clock.
    pub(crate) at: Duration,
}

/// Whether notes and summaries are made in the background or while the owner waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobExecution {
    /// The chat continues while they are made.
    Background,
    /// The owner waits.
    Inline,
}

/// The jobs of this process.
pub struct Jobs {
    execution: JobExecution,
    timeout: Timeout,
    /// Each change of a slot is one assignment, so a poisoned lock still guards valid slots.
    slots: Mutex<BTreeMap<SessionName, SessionSlot>>,
    /// The number of [`JobsPaused`] guards.
    n_waiting: AtomicUsize,
}

/// Leaves out the jobs, because they contain messages.
impl fmt::Debug for Jobs {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Jobs")
            .field("execution", &self.execution)
            .field("timeout", &self.timeout)
            .finish_non_exhaustive()
    }
}

/// While this guard lives, no job starts: its holder runs every step inline.
pub(crate) struct JobsPaused<'a>(&'a Jobs);

impl Drop for JobsPaused<'_> {
    fn drop(&mut self) {
        self.0.n_waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

#[derive(Default)]
struct SessionSlot {
    job: Option<Job>,
    /// After an attempt without effect, the request size at which the next one may start.
    retry_above_tokens: Option<TokenCount>,
    /// Work that waits until the model is free.
    waiting: Option<Work>,
    /// The epoch in which the owner's message preempted or deferred a compaction.
    put_off_in: Option<Epoch>,
    /// The compaction whose start was reported, but not its end.
    started: Option<StartedCompaction>,
    /// The last warning about the size of the context, with its epoch.
    warned_of: Option<(Epoch, Pressure)>,
    /// The repairs of the transcript that were reported.
    reported: Vec<Repair>,
}

/// Work deferred until the owner has a reply, because the model serves one call at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Work {
    /// Notes of an earlier day.
    Notes,
    Compaction,
}

/// A step that runs in the background.
pub(crate) struct Job {
    pub(crate) basis: JobBasis,
    pub(crate) step: Arc<Step>,
    pub(crate) result: Arc<JobResult>,
    _task: Task,
    _lock: Lock,
}

/// What a job relies on; its results are useless once this no longer holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct JobBasis {
    /// The epoch of the transcript; a newer compaction invalidates the job.
    pub(crate) epoch: Epoch,
    pub(crate) intent: Option<FlushIntent>,
    /// The entries that the summary replaces; they must be on the leaf's path.
    pub(crate) span: Vec<EntryId>,
    /// The first entry that stays; `None` without a summary, or if none stays.
    pub(crate) first_kept: Option<EntryId>,
}

impl JobBasis {
    fn of(turn: &Turn, step: &Step) -> Self {
        let plan = step.summary.as_ref().map(|order| &order.brief.plan);
        let span = plan.iter().flat_map(|plan| &plan.span);
        Self {
            epoch: turn.state().compaction_count,
            intent: turn.state().intent.clone(),
            span: span.map(|item| item.entry.clone()).collect(),
            first_kept: plan.and_then(|plan| plan.first_kept.clone()),
        }
    }

    pub(crate) fn holds(&self, turn: &Turn) -> bool {
        let state = turn.state();
        state.compaction_count == self.epoch && state.intent == self.intent
    }
}

impl SessionSlot {
    fn wait(&mut self, what: Work, epoch: Epoch) {
        self.waiting = Some(what);
        if what == Work::Compaction {
            self.put_off_in = Some(epoch);
        }
    }
}

impl Job {
    pub(crate) fn is_summarising(&self) -> bool {
        self.step.summary.is_some()
    }

    fn kind(&self) -> Work {
        let flush = self.step.flush.as_ref();
        let is_for_compaction = flush.is_some_and(|it| it.intent.before_compaction);
        if self.is_summarising() || is_for_compaction {
            Work::Compaction
        } else {
            Work::Notes
        }
    }
}

/// A task that is aborted when it is dropped.
#[derive(Debug)]
struct Task(JoinHandle<()>);

impl Drop for Task {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Marks the result as complete, however the job ends.
struct EndOnDrop(Arc<JobResult>);

impl Drop for EndOnDrop {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// Locks a session's job; `None` if another process holds the lock.
pub(crate) fn lock_job(
    sessions: &SessionStore,
    name: &SessionName,
) -> Result<Option<Lock>, BeginTurnError> {
    match sessions.lock_background(name) {
        Ok(lock) => Ok(Some(lock)),
        Err(BeginTurnError::Locked(..)) => Ok(None),
        Err(error) => Err(error),
    }
}

impl Jobs {
    /// Never runs a job or a timer.
    pub fn never() -> Self {
        Self::with(JobExecution::Inline, Timeout::Never)
    }

    /// Gives up a model that takes longer than `longest`. Needs a tokio runtime with timers.
    pub fn new(execution: JobExecution, longest: Duration) -> Self {
        Self::with(execution, Timeout::After(longest))
    }

    fn with(execution: JobExecution, timeout: Timeout) -> Self {
        Self {
            execution,
            timeout,
            slots: Mutex::default(),
            n_waiting: AtomicUsize::new(0),
        }
    }

    /// Whether a session has a job in this process, running or with results to take.
    pub fn has_job(&self, name: &SessionName) -> bool {
        self.with_slot(name, |slot| slot.job.is_some())
    }

    pub(crate) fn is_compacting(&self, name: &SessionName) -> bool {
        let is_compacting = |job: &Job| job.kind() == Work::Compaction;
        self.with_slot(name, |slot| slot.job.as_ref().is_some_and(is_compacting))
    }

    /// Waits until a session's job has results to take; forever if it has no job.
    pub async fn news(&self, name: &SessionName) {
        let result = self.with_slot(name, |slot| {
            slot.job.as_ref().map(|job| Arc::clone(&job.result))
        });
        match result {
            Some(result) => result.news().await,
            None => std::future::pending().await,
        }
    }

    /// Whether a session's job has results to take.
    pub(crate) fn has_news(&self, name: &SessionName) -> bool {
        self.with_slot(name, |slot| {
            slot.job.as_ref().is_some_and(|job| job.result.has_news())
        })
    }

    /// Cancels a session's job and discards its results; returns whether it was making a summary.
    pub fn cancel(&self, name: &SessionName) -> bool {
        let job = self.with_slot(name, |slot| {
            slot.waiting = None;
            slot.job.take()
        });
        job.is_some_and(|job| job.is_summarising())
    }

    /// Cancels all running jobs, because a session's owner needs the only model; returns whether one of them was
    /// making a summary of that session.
    pub(crate) fn preempt_for(&self, name: &SessionName) -> bool {
        let mut was_summarising = false;
        for (session, slot) in locked(&self.slots).iter_mut() {
            if let Some(job) = slot.job.take_if(|job| !job.result.is_over()) {
                was_summarising |= session == name && job.is_summarising();
                slot.wait(job.kind(), job.basis.epoch);
            }
        }
        was_summarising
    }

    pub(crate) fn timeout(&self) -> Timeout {
        self.timeout
    }

    pub(crate) fn may_work(&self) -> bool {
        self.execution == JobExecution::Background
            && self.n_waiting.load(Ordering::Relaxed) == 0
            && Handle::try_current().is_ok()
    }

    /// How much of a backlog a turn may flush: all of it while a [`JobsPaused`] exists.
    pub(crate) fn extent_in_turn(&self) -> FlushExtent {
        if self.n_waiting.load(Ordering::Relaxed) > 0 {
            FlushExtent::Whole
        } else {
            FlushExtent::BeforeReply
        }
    }

    /// Prevents jobs from starting while the guard lives.
    pub(crate) fn pause_jobs(&self) -> JobsPaused<'_> {
        self.n_waiting.fetch_add(1, Ordering::Relaxed);
        JobsPaused(self)
    }

    /// The state of a session's job, for `decide`.
    pub(crate) fn state(&self, sessions: &SessionStore, turn: &Turn) -> JobState {
        if !self.may_work() {
            return JobState::Unavailable;
        }
        let name = turn.name();
        let epoch = turn.state().compaction_count;
        let (has_job, is_put_off, retry_above_tokens) = self.with_slot(name, |slot| {
            let is_put_off = slot.put_off_in == Some(epoch);
            (slot.job.is_some(), is_put_off, slot.retry_above_tokens)
        });
        // Without a job here, only another process can hold the lock; starting a job reports other lock errors.
        let is_elsewhere = || matches!(lock_job(sessions, name), Ok(None));
        match retry_above_tokens {
            _ if has_job || is_elsewhere() => JobState::Busy,
            // A deferred compaction was about to start, so it had reached `retry_above_tokens`.
            _ if is_put_off => JobState::Deferred,
            Some(until) => JobState::Resting { until },
            None => JobState::Free,
        }
    }

    /// Whether to warn the owner of a pressure: true once per epoch until another pressure is warned of.
    pub(crate) fn warns(&self, name: &SessionName, epoch: Epoch, pressure: Pressure) -> bool {
        let warning = Some((epoch, pressure));
        self.with_slot(name, |slot| {
            std::mem::replace(&mut slot.warned_of, warning) != warning
        })
    }

    /// The repairs of a transcript that were not reported before.
    pub(crate) fn unreported(&self, turn: &Turn) -> Vec<Repair> {
        self.with_slot(turn.name(), |slot| {
            let mut repairs = turn.repairs().to_vec();
            repairs.retain(|repair| !slot.reported.contains(repair));
            slot.reported.extend(repairs.iter().cloned());
            repairs
        })
    }

    pub(crate) fn note_start(&self, name: &SessionName, started: StartedCompaction) {
        self.with_slot(name, |slot| slot.started = Some(started));
    }

    /// Takes the compaction whose end must be reported.
    pub(crate) fn take_start(&self, name: &SessionName) -> Option<StartedCompaction> {
        self.with_slot(name, |slot| slot.started.take())
    }

    pub(crate) fn put_off(&self, turn: &Turn, what: Work) {
        let epoch = turn.state().compaction_count;
        self.with_slot(turn.name(), |slot| slot.wait(what, epoch));
    }

    /// Whether work is deferred until the model is free.
    pub(crate) fn is_waiting(&self, name: &SessionName) -> bool {
        self.with_slot(name, |slot| slot.waiting.is_some())
    }

    /// Takes the deferred work.
    pub(crate) fn take_waiting(&self, name: &SessionName) -> Option<Work> {
        self.with_slot(name, |slot| slot.waiting.take())
    }

    /// Sets the size at which the next attempt may start; `None` after an attempt that took effect.
    pub(crate) fn rest(&self, name: &SessionName, until: Option<TokenCount>) {
        self.with_slot(name, |slot| {
            slot.retry_above_tokens = until;
            // The deferred compaction has had its attempt.
            slot.put_off_in = None;
        });
    }

    pub(crate) fn begin(&self, turn: &Turn, step: Step, lock: Lock) {
        let Ok(handle) = Handle::try_current() else {
            return;
        };
        let (basis, step, result) = (JobBasis::of(turn, &step), Arc::new(step), Arc::default());
        // Created before the work starts, because a job may be aborted before its first await.
        let ending = EndOnDrop(Arc::clone(&result));
        let work = {
            let step = Arc::clone(&step);
            async move { step.make(&ending.0).await }
        };
        let job = Job {
            basis,
            step,
            result,
            _task: Task(handle.spawn(off_thread(work))),
            _lock: lock,
        };
        self.put_back(turn.name(), job);
    }

    /// Takes a session's job if it has results.
    pub(crate) fn take_with_news(&self, name: &SessionName) -> Option<Job> {
        self.with_slot(name, |slot| slot.job.take_if(|job| job.result.has_news()))
    }

    pub(crate) fn put_back(&self, name: &SessionName, job: Job) {
        self.with_slot(name, |slot| slot.job = Some(job));
    }

    fn with_slot<T>(&self, name: &SessionName, act: impl FnOnce(&mut SessionSlot) -> T) -> T {
        let mut slots = locked(&self.slots);
        match slots.get_mut(name) {
            Some(slot) => act(slot),
            None => act(slots.entry(name.clone()).or_default()),
        }
    }
}
