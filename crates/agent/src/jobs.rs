//! The jobs of this process: notes and summaries made while the chat goes on, one job a session.
//!
//! Starts, keeps and drops them; never looks at what they make.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use base::disk::Lock;
use base::{EntryId, TokenCount};
use compaction::JobState;
use session::{BeginTurnError, Epoch, FlushIntent, SessionName, SessionStore, Turn};
use tokio::runtime::Handle;
use tokio::task::JoinHandle;

use crate::aside::aside;
use crate::asking::Timeout;
use crate::backlog::FlushExtent;
use crate::step::{JobResult, Step};

/// A compaction whose start was reported, and whose end was not.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StartedCompaction {
    pub(crate) epoch: Epoch,
    pub(crate) tokens: TokenCount,
    /// When, on the monotonic clock.
    pub(crate) at: Duration,
}

/// Whether the owner waits for notes and summaries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Execution {
    /// They are made while the chat goes on.
    Background,
    /// The owner waits for them.
    Inline,
}

/// The jobs of this process.
pub struct Jobs {
    execution: Execution,
    timeout: Timeout,
    slots: Mutex<BTreeMap<SessionName, SessionSlot>>,
    /// How many wait for each piece of work instead.
    n_waiting: AtomicUsize,
}

/// While it lives, nothing begins in the background: its owner waits for everything.
pub(crate) struct Standstill<'a>(&'a Jobs);

impl Drop for Standstill<'_> {
    fn drop(&mut self) {
        self.0.n_waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

#[derive(Default)]
struct SessionSlot {
    job: Option<Job>,
    /// After an attempt without effect: the size from which on the next one may begin.
    rest_until: Option<TokenCount>,
    /// What waits until the model is free.
    waiting: Option<Work>,
    /// The epoch in which the owner's words took the model from a compaction.
    put_off_in: Option<Epoch>,
    /// The compaction whose start was reported, and whose end was not.
    started: Option<StartedCompaction>,
    /// The epoch in which the owner was warned that the context is half full.
    warned_in: Option<Epoch>,
}

/// What waits until the owner has a reply, because the model serves one call at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Work {
    /// Notes of another day.
    Notes,
    /// A compaction.
    Compaction,
}

/// A step that is being made while the chat goes on.
pub(crate) struct Job {
    pub(crate) basis: JobBasis,
    pub(crate) step: Arc<Step>,
    pub(crate) result: Arc<JobResult>,
    _task: Task,
    _lock: Lock,
}

/// What a job relies on: once this has ceased to hold, its work is for nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct JobBasis {
    /// The epoch of the file: no newer compaction exists.
    pub(crate) epoch: Epoch,
    pub(crate) intent: Option<FlushIntent>,
    /// The entries that the summary stands for; they must lie on the leaf's path.
    pub(crate) span: Vec<EntryId>,
    /// The first entry that stays, where a summary is made.
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
struct Task(JoinHandle<()>);

impl Drop for Task {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Says that nothing more will come, however the job ends.
struct EndOnDrop(Arc<JobResult>);

impl Drop for EndOnDrop {
    fn drop(&mut self) {
        self.0.end();
    }
}

impl Jobs {
    /// No job ever runs, and no timer does.
    pub fn never() -> Self {
        Self::with(Execution::Inline, Timeout::Never)
    }

    /// Models that take longer than `longest` are given up. Wants a tokio runtime with its timers.
    pub fn new(execution: Execution, longest: Duration) -> Self {
        Self::with(execution, Timeout::After(longest))
    }

    fn with(execution: Execution, timeout: Timeout) -> Self {
        Self {
            execution,
            timeout,
            slots: Mutex::default(),
            n_waiting: AtomicUsize::new(0),
        }
    }

    /// Whether a job of this session is under way in this process, or has left something to take.
    pub fn has_job(&self, name: &SessionName) -> bool {
        self.with_slot(name, |slot| slot.job.is_some())
    }

    pub(crate) fn is_compacting(&self, name: &SessionName) -> bool {
        let is_compacting = |job: &Job| job.kind() == Work::Compaction;
        self.with_slot(name, |slot| slot.job.as_ref().is_some_and(is_compacting))
    }

    /// Waits until the job of a session has something to take; for ever where there is none.
    pub async fn news(&self, name: &SessionName) {
        let result = self.with_slot(name, |slot| {
            slot.job.as_ref().map(|job| Arc::clone(&job.result))
        });
        match result {
            Some(result) => result.news().await,
            None => std::future::pending().await,
        }
    }

    /// Whether the job of a session has something to take.
    pub(crate) fn has_news(&self, name: &SessionName) -> bool {
        self.with_slot(name, |slot| {
            slot.job.as_ref().is_some_and(|job| job.result.has_news())
        })
    }

    /// Ends the job of a session; what it made is lost. Whether it was making a summary.
    pub fn cancel(&self, name: &SessionName) -> bool {
        let job = self.with_slot(name, |slot| {
            slot.waiting = None;
            slot.job.take()
        });
        job.is_some_and(|job| job.is_summarising())
    }

    /// Ends all jobs that are still at work, for the owner of a session wants their only model. Whether
    /// one of them was making a summary of that session.
    pub(crate) fn make_way(&self, name: &SessionName) -> bool {
        let mut was_summarising = false;
        for (session, slot) in self.slots().iter_mut() {
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
        self.execution == Execution::Background
            && self.n_waiting.load(Ordering::Relaxed) == 0
            && Handle::try_current().is_ok()
    }

    /// How much of a backlog a turn may note: all of it while every job is waited for.
    pub(crate) fn extent_in_turn(&self) -> FlushExtent {
        if self.n_waiting.load(Ordering::Relaxed) > 0 {
            FlushExtent::Whole
        } else {
            FlushExtent::BeforeReply
        }
    }

    /// Lets nothing begin as long as the guard lives.
    pub(crate) fn stand_still(&self) -> Standstill<'_> {
        self.n_waiting.fetch_add(1, Ordering::Relaxed);
        Standstill(self)
    }

    /// What goes on beside a session, as the decision must know it.
    pub(crate) fn state(&self, sessions: &SessionStore, turn: &Turn) -> JobState {
        if !self.may_work() {
            return JobState::Unavailable;
        }
        let name = turn.name();
        let epoch = turn.state().compaction_count;
        let (has_job, is_put_off, rest_until) = self.with_slot(name, |slot| {
            let is_put_off = slot.put_off_in == Some(epoch);
            (slot.job.is_some(), is_put_off, slot.rest_until)
        });
        // Only another process can hold the lock; a lock that cannot be taken at all is reported at the start.
        let is_elsewhere = || {
            matches!(
                sessions.lock_background(name),
                Err(BeginTurnError::Locked(..))
            )
        };
        match rest_until {
            _ if has_job || is_elsewhere() => JobState::Busy,
            // It was to begin, so the size to rest until had been reached.
            _ if is_put_off => JobState::Deferred,
            Some(until) => JobState::Resting { until },
            None => JobState::Free,
        }
    }

    /// Whether the owner is to be warned in this epoch; once.
    pub(crate) fn warns(&self, name: &SessionName, epoch: Epoch) -> bool {
        self.with_slot(name, |slot| slot.warned_in.replace(epoch) != Some(epoch))
    }

    pub(crate) fn note_start(&self, name: &SessionName, started: StartedCompaction) {
        self.with_slot(name, |slot| slot.started = Some(started));
    }

    /// The compaction whose end is to be reported, once.
    pub(crate) fn take_start(&self, name: &SessionName) -> Option<StartedCompaction> {
        self.with_slot(name, |slot| slot.started.take())
    }

    pub(crate) fn put_off(&self, turn: &Turn, what: Work) {
        let epoch = turn.state().compaction_count;
        self.with_slot(turn.name(), |slot| slot.wait(what, epoch));
    }

    /// Whether something waits until the model is free.
    pub(crate) fn is_waiting(&self, name: &SessionName) -> bool {
        self.with_slot(name, |slot| slot.waiting.is_some())
    }

    /// What waited, once.
    pub(crate) fn take_waiting(&self, name: &SessionName) -> Option<Work> {
        self.with_slot(name, |slot| slot.waiting.take())
    }

    /// After an attempt without effect the next one waits; after one with effect it does not.
    pub(crate) fn rest(&self, name: &SessionName, until: Option<TokenCount>) {
        self.with_slot(name, |slot| {
            slot.rest_until = until;
            // It was given the time to come to an end.
            slot.put_off_in = None;
        });
    }

    pub(crate) fn begin(&self, turn: &Turn, step: Step, lock: Lock) {
        let Ok(handle) = Handle::try_current() else {
            return;
        };
        let (basis, step, result) = (JobBasis::of(turn, &step), Arc::new(step), Arc::default());
        // It exists before the work begins, for a job may be ended before its first await.
        let ending = EndOnDrop(Arc::clone(&result));
        let work = {
            let step = Arc::clone(&step);
            async move { step.make(&ending.0).await }
        };
        let job = Job {
            basis,
            step,
            result,
            _task: Task(handle.spawn(aside(work))),
            _lock: lock,
        };
        self.put_back(turn.name(), job);
    }

    /// The job of a session, where it has something to take.
    pub(crate) fn take_with_news(&self, name: &SessionName) -> Option<Job> {
        self.with_slot(name, |slot| slot.job.take_if(|job| job.result.has_news()))
    }

    pub(crate) fn put_back(&self, name: &SessionName, job: Job) {
        self.with_slot(name, |slot| slot.job = Some(job));
    }

    fn with_slot<T>(&self, name: &SessionName, act: impl FnOnce(&mut SessionSlot) -> T) -> T {
        let mut slots = self.slots();
        match slots.get_mut(name) {
            Some(slot) => act(slot),
            None => act(slots.entry(name.clone()).or_default()),
        }
    }

    fn slots(&self) -> MutexGuard<'_, BTreeMap<SessionName, SessionSlot>> {
        // Each change of a slot is one assignment.
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Jobs {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Jobs")
            .field("execution", &self.execution)
            .field("timeout", &self.timeout)
            .finish_non_exhaustive()
    }
}
