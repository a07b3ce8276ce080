//! The jobs of this process, one a session.
//!
//! Starts, keeps and drops them; never looks at what they make.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use base::disk::Lock;
use base::{EntryId, TokenCount};
use compaction::Beside;
use session::{Epoch, FlushIntent, SessionName, Turn};
use tokio::runtime::Handle;
use tokio::task::JoinHandle;

use crate::Runtime;
use crate::backlog::Extent;
use crate::pairing::Begun;
use crate::step::{Desk, Step};
use crate::summarise::Patience;

/// Whether the owner waits for notes and summaries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Execution {
    /// They are made while the chat goes on.
    Background,
    /// The owner waits for them.
    Inline,
}

/// What goes on beside the conversations of this process.
pub struct Background {
    execution: Execution,
    patience: Patience,
    slots: Mutex<BTreeMap<SessionName, Slot>>,
    /// How many wait for each piece of work instead.
    n_waiting: AtomicUsize,
}

/// While it lives, nothing begins in the background: its owner waits for everything.
pub(crate) struct Standstill<'a>(&'a Background);

impl Drop for Standstill<'_> {
    fn drop(&mut self) {
        self.0.n_waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

/// What is known of one session.
#[derive(Default)]
struct Slot {
    job: Option<Job>,
    /// After an attempt without effect: the size from which on the next one may begin.
    rest_until: Option<TokenCount>,
    /// What waits until the model is free.
    waiting: Option<Work>,
    /// The epoch in which the owner's words took the model from a compaction.
    put_off_in: Option<Epoch>,
    /// The compaction whose start was told, and whose end was not.
    begun: Option<Begun>,
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

/// Notes and a summary in the making.
pub(crate) struct Job {
    pub(super) ground: Ground,
    pub(super) step: Arc<Step>,
    pub(super) desk: Arc<Desk>,
    /// Held until the job ends.
    pub(super) task: Option<Task>,
    pub(super) _lock: Lock,
}

/// What a job rests on: where it is not so any more, its work is for nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ground {
    /// The epoch of the file: no newer compaction exists.
    pub(super) epoch: Epoch,
    /// The newest intent in the transcript: the job's own, or none.
    pub(super) intent: Option<FlushIntent>,
    /// The entries that the summary stands for; they must lie on the leaf's path.
    pub(super) span: Vec<EntryId>,
    /// The first entry that stays, where a summary is made.
    pub(super) first_kept: Option<EntryId>,
}

impl Ground {
    pub(super) fn holds(&self, turn: &Turn) -> bool {
        let state = turn.state();
        state.compaction_count == self.epoch && state.intent == self.intent
    }
}

impl Slot {
    fn wait(&mut self, what: Work, epoch: Epoch) {
        self.waiting = Some(what);
        if what == Work::Compaction {
            self.put_off_in = Some(epoch);
        }
    }
}

impl Job {
    pub(super) fn is_summarising(&self) -> bool {
        self.step.summary.is_some()
    }

    fn kind(&self) -> Work {
        let announced = self.step.announced.as_ref();
        let is_for_compaction = announced.is_some_and(|it| it.intent.before_compaction);
        if self.is_summarising() || is_for_compaction {
            Work::Compaction
        } else {
            Work::Notes
        }
    }
}

/// A task that ends with whoever holds it.
pub(super) struct Task(JoinHandle<()>);

impl Drop for Task {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Says that nothing more will come, however the job ends.
struct Leaving(Arc<Desk>);

impl Drop for Leaving {
    fn drop(&mut self) {
        self.0.end();
    }
}

impl Background {
    /// Nothing goes on in the background, and nobody loses patience: there is no timer.
    pub fn never() -> Self {
        Self::with(Execution::Inline, Patience::Endless)
    }

    /// Models that take longer than `longest` are given up. Wants a tokio runtime with its timers.
    pub fn new(execution: Execution, longest: Duration) -> Self {
        Self::with(execution, Patience::For(longest))
    }

    fn with(execution: Execution, patience: Patience) -> Self {
        Self {
            execution,
            patience,
            slots: Mutex::default(),
            n_waiting: AtomicUsize::new(0),
        }
    }

    /// Whether a job of this session is under way in this process, or has left something to take.
    pub fn has_job(&self, name: &SessionName) -> bool {
        self.with_slot(name, |slot| slot.job.is_some())
    }

    /// Whether the job of a session is part of a compaction.
    pub(crate) fn is_compacting(&self, name: &SessionName) -> bool {
        let is_compacting = |job: &Job| job.kind() == Work::Compaction;
        self.with_slot(name, |slot| slot.job.as_ref().is_some_and(is_compacting))
    }

    /// Waits until the job of a session has something to take; for ever where there is none.
    pub async fn news(&self, name: &SessionName) {
        let desk = self.with_slot(name, |slot| {
            slot.job.as_ref().map(|job| Arc::clone(&job.desk))
        });
        match desk {
            Some(desk) => desk.news().await,
            None => std::future::pending().await,
        }
    }

    /// Whether the job of a session has something to take.
    pub(super) fn has_news(&self, name: &SessionName) -> bool {
        self.with_slot(name, |slot| {
            slot.job.as_ref().is_some_and(|job| job.desk.has_news())
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
            if let Some(job) = slot.job.take_if(|job| !job.desk.is_over()) {
                was_summarising |= session == name && job.is_summarising();
                slot.wait(job.kind(), job.ground.epoch);
            }
        }
        was_summarising
    }

    pub(crate) fn patience(&self) -> Patience {
        self.patience
    }

    pub(crate) fn may_work(&self) -> bool {
        self.execution == Execution::Background
            && self.n_waiting.load(Ordering::Relaxed) == 0
            && Handle::try_current().is_ok()
    }

    /// How much of a backlog a turn may note: all where somebody waits for everything.
    pub(crate) fn extent_in_turn(&self) -> Extent {
        if self.n_waiting.load(Ordering::Relaxed) > 0 {
            Extent::Whole
        } else {
            Extent::BeforeReply
        }
    }

    /// Lets nothing begin as long as the guard lives.
    pub(crate) fn stand_still(&self) -> Standstill<'_> {
        self.n_waiting.fetch_add(1, Ordering::Relaxed);
        Standstill(self)
    }

    /// What goes on beside a session, as the decision must know it.
    pub(crate) fn beside(&self, runtime: &Runtime, turn: &Turn) -> Beside {
        if !self.may_work() {
            return Beside::Never;
        }
        let name = turn.name();
        let epoch = turn.state().compaction_count;
        let (has_job, is_put_off, rest_until) = self.with_slot(name, |slot| {
            let is_put_off = slot.put_off_in == Some(epoch);
            (slot.job.is_some(), is_put_off, slot.rest_until)
        });
        // Whoever holds the lock is another process; one that cannot be taken at all is told at the start.
        let is_elsewhere = || {
            matches!(
                runtime.sessions.lock_background(name),
                Err(session::BeginTurnError::Locked(..))
            )
        };
        match rest_until {
            _ if has_job || is_elsewhere() => Beside::Busy,
            // It was to begin, so the size to rest until had been reached.
            _ if is_put_off => Beside::PutOff,
            Some(until) => Beside::Resting { until },
            None => Beside::Free,
        }
    }

    /// Whether the owner is to be warned in this epoch; once.
    pub(crate) fn warns(&self, name: &SessionName, epoch: Epoch) -> bool {
        self.with_slot(name, |slot| slot.warned_in.replace(epoch) != Some(epoch))
    }

    /// The start of a compaction was told.
    pub(crate) fn note_start(&self, name: &SessionName, begun: Begun) {
        self.with_slot(name, |slot| slot.begun = Some(begun));
    }

    /// The compaction whose end is to be told, once.
    pub(crate) fn take_start(&self, name: &SessionName) -> Option<Begun> {
        self.with_slot(name, |slot| slot.begun.take())
    }

    /// Lets a job wait until the model is free.
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
    pub(super) fn rest(&self, name: &SessionName, until: Option<TokenCount>) {
        self.with_slot(name, |slot| {
            slot.rest_until = until;
            // It was given the time to come to an end.
            slot.put_off_in = None;
        });
    }

    /// Begins a job: lets the models work on its step.
    pub(super) fn begin(&self, name: &SessionName, mut job: Job) {
        let Ok(handle) = Handle::try_current() else {
            return;
        };
        // It exists before the work begins, for a job may be ended before its first step.
        let leaving = Leaving(Arc::clone(&job.desk));
        let step = Arc::clone(&job.step);
        let work = async move { step.make(&leaving.0).await };
        job.task = Some(Task(handle.spawn(work)));
        self.put_back(name, job);
    }

    /// The job of a session, where it has something to take.
    pub(super) fn take_with_news(&self, name: &SessionName) -> Option<Job> {
        self.with_slot(name, |slot| slot.job.take_if(|job| job.desk.has_news()))
    }

    /// The job goes on.
    pub(super) fn put_back(&self, name: &SessionName, job: Job) {
        self.with_slot(name, |slot| slot.job = Some(job));
    }

    fn with_slot<T>(&self, name: &SessionName, act: impl FnOnce(&mut Slot) -> T) -> T {
        let mut slots = self.slots();
        match slots.get_mut(name) {
            Some(slot) => act(slot),
            None => act(slots.entry(name.clone()).or_default()),
        }
    }

    fn slots(&self) -> MutexGuard<'_, BTreeMap<SessionName, Slot>> {
        // Each change of a slot is one assignment.
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Background {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Background")
            .field("execution", &self.execution)
            .field("patience", &self.patience)
            .finish_non_exhaustive()
    }
}
