//! The slot of a home in a fleet: keeps the open home, and closes it when it is unused.
//!
//! Works below authentication, without tokens.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use agent::Knowledge;
use base::{Clock, locked};
use gateway::http::{BrowserSessions, HttpError, HttpState, ServedHome, Site as _};
use tokio::sync::{OwnedSemaphorePermit, oneshot};
use tokio::task::JoinHandle;

use super::opener::{HomeEnd, OpenedHome};

/// For this long after a home failed to open, requests for it get the same error without another attempt.
const FAILURE_REST: Duration = Duration::from_secs(2);

/// How long closing a home waits for work in it to finish, such as a dream.
const WORK_MAX: Duration = Duration::from_mins(15);

/// Interval between checks whether that work has finished.
const WORK_LOOK_EVERY: Duration = Duration::from_millis(20);

/// The slot of a home, open or not.
pub(super) struct HomeSlot {
    /// Locked while the home is being opened or closed.
    pub(super) home: Arc<tokio::sync::Mutex<Option<OpenHome>>>,
    /// Signed-in browsers; closing the home does not sign them out.
    pub(super) browsers: Arc<BrowserSessions>,
    pub(super) clock: Arc<dyn Clock>,
    /// Requests under way.
    pub(super) n_requests: AtomicUsize,
    /// Responses to GET requests under way, which may be endless streams.
    pub(super) n_streams: AtomicUsize,
    /// The end of its last use, in milliseconds on the monotonic clock.
    pub(super) used_at: AtomicU64,
    /// When the home last failed to open, in milliseconds on the monotonic clock, and the error.
    failure: Mutex<Option<(u64, HttpError)>>,
}

pub(super) struct OpenHome {
    pub(super) served: ServedHome,
    /// The strong count of the state while no work is under way.
    n_holders: usize,
    knowledge: Weak<Knowledge>,
    is_usable: Box<dyn Fn() -> bool + Send + Sync>,
    end: oneshot::Sender<HomeEnd>,
    kept: JoinHandle<()>,
    /// The home's permit among the open homes. It is released when the home begins to close.
    pub(super) room: Option<OwnedSemaphorePermit>,
}

impl HomeSlot {
    pub(super) fn new(clock: &Arc<dyn Clock>) -> Self {
        Self {
            home: Arc::default(),
            browsers: Arc::default(),
            clock: Arc::clone(clock),
            n_requests: AtomicUsize::new(0),
            n_streams: AtomicUsize::new(0),
            used_at: AtomicU64::new(milliseconds(&**clock)),
            failure: Mutex::default(),
        }
    }

    /// Fails with the last error if the home failed to open a moment ago.
    pub(super) fn check_failure(&self) -> Result<(), HttpError> {
        let now = milliseconds(&*self.clock);
        let rest = u64::try_from(FAILURE_REST.as_millis()).unwrap_or(u64::MAX);
        match &*locked(&self.failure) {
            Some((at, error)) if now.saturating_sub(*at) < rest => Err(error.clone()),
            Some(_) | None => Ok(()),
        }
    }

    pub(super) fn note_failure(&self, error: &HttpError) {
        // A temporary failure may be over at any moment.
        if !error.is_temporary() {
            *locked(&self.failure) = Some((milliseconds(&*self.clock), error.clone()));
        }
    }

    /// Begins to close the home if it is unused and `is_due` returns true. Returns whether it did.
    pub(super) fn close_if(&self, is_due: impl Fn(&Self) -> bool) -> bool {
        let Ok(mut held) = Arc::clone(&self.home).try_lock_owned() else {
            return false;
        };
        let is_unused = |open: &OpenHome| {
            self.n_requests.load(Ordering::SeqCst) == 0 && !open.is_worked_with() && is_due(self)
        };
        let Some(mut open) = held.take_if(|open| is_unused(open)) else {
            return false;
        };
        // Another home may open at once. Requests for this home wait for the lock until it is closed.
        drop(open.room.take());
        tokio::spawn(async move {
            open.close(WORK_MAX).await;
            drop(held);
        });
        true
    }
}

impl OpenHome {
    /// Sets up the routes of an opened home, and starts its keeper.
    pub(super) fn begin(opened: OpenedHome, slot: &HomeSlot) -> Self {
        let knowledge = Arc::downgrade(&opened.setup.knowledge);
        let served = ServedHome::with_browsers(opened.setup, Arc::clone(&slot.browsers));
        let (end, ended) = oneshot::channel();
        let kept = tokio::spawn((opened.keeper)(served.news(), ended));
        Self {
            n_holders: Arc::strong_count(served.state()),
            served,
            knowledge,
            is_usable: opened.is_usable,
            end,
            kept,
            room: None,
        }
    }

    /// Whether the home cannot be written, or its keeper has ended.
    pub(super) fn is_gone(&self) -> bool {
        !(self.is_usable)() || self.kept.is_finished()
    }

    /// Whether work is under way, even for a client that has disconnected.
    fn is_worked_with(&self) -> bool {
        Arc::strong_count(self.served.state()) > self.n_holders
    }

    /// Waits up to `patience` for work under way, then releases the home.
    pub(super) async fn close(mut self, patience: Duration) {
        self.served.end_streams();
        let state: Weak<HttpState> = Arc::downgrade(self.served.state());
        drop(self.served);
        let done = async {
            while state.strong_count() > 0 || self.knowledge.strong_count() > 0 {
                tokio::time::sleep(WORK_LOOK_EVERY).await;
            }
        };
        let end = match tokio::time::timeout(patience, done).await {
            Ok(()) => HomeEnd::Quiet,
            Err(_) => HomeEnd::Busy,
        };
        // This fails only if the keeper has already ended.
        self.end.send(end).ok();
        drop(self.kept.await);
    }
}

pub(super) fn milliseconds(clock: &dyn Clock) -> u64 {
    u64::try_from(clock.monotonic().as_millis()).unwrap_or(u64::MAX)
}
