//! The place of a home in a fleet: opened when it is needed, and closed when nobody works with it.
//!
//! Knows nothing of tokens.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use agent::Knowledge;
use axum::http::StatusCode;
use base::Clock;
use tokio::sync::{OwnedSemaphorePermit, oneshot};
use tokio::task::JoinHandle;

use super::opener::{HomeEnd, OpenedHome};
use crate::http::access::BrowserSessions;
use crate::http::error::HttpError;
use crate::http::served::ServedHome;
use crate::http::state::HttpState;

/// After a home could not be opened, requests for it are refused for so long without another try.
const FAILURE_REST: Duration = Duration::from_secs(2);

/// How long work may take that goes on in a home after it was to be closed, such as a dream.
const WORK_MAX: Duration = Duration::from_mins(15);

/// How often it is looked at whether such work is done.
const WORK_LOOK_EVERY: Duration = Duration::from_millis(20);

/// The place of a home, whether it is open or not.
pub(super) struct Seat {
    /// Locked while it is opened or closed.
    pub(super) home: Arc<tokio::sync::Mutex<Option<OpenHome>>>,
    /// The browsers that are signed in; closing the home signs none out.
    pub(super) browsers: Arc<BrowserSessions>,
    pub(super) clock: Arc<dyn Clock>,
    /// Requests under way.
    pub(super) n_requests: AtomicUsize,
    /// Streams that last as long as somebody listens.
    pub(super) n_streams: AtomicUsize,
    /// The end of its last use, in milliseconds on the monotonic clock.
    pub(super) used_at: AtomicU64,
    /// Why the home could not be opened, and when.
    failure: Mutex<Option<(u64, HttpError)>>,
}

pub(super) struct OpenHome {
    pub(super) served: ServedHome,
    /// How many hold the state while nobody works with it.
    n_holders: usize,
    knowledge: Weak<Knowledge>,
    is_usable: Box<dyn Fn() -> bool + Send + Sync>,
    end: oneshot::Sender<HomeEnd>,
    kept: JoinHandle<()>,
    /// Given back when it begins to close.
    pub(super) room: Option<OwnedSemaphorePermit>,
}

impl Seat {
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

    /// Refuses a home that could not be opened a moment ago.
    pub(super) fn check_failure(&self) -> Result<(), HttpError> {
        let now = milliseconds(&*self.clock);
        let rest = u64::try_from(FAILURE_REST.as_millis()).unwrap_or(u64::MAX);
        match &*lock(&self.failure) {
            Some((at, error)) if now.saturating_sub(*at) < rest => Err(error.clone()),
            Some(_) | None => Ok(()),
        }
    }

    pub(super) fn note_failure(&self, error: &HttpError) {
        // What is missing for now may be there at any moment.
        if error.status != StatusCode::SERVICE_UNAVAILABLE {
            *lock(&self.failure) = Some((milliseconds(&*self.clock), error.clone()));
        }
    }

    /// Begins to close the home where nobody works with it and `is_due` says so; whether it did.
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
        // Another home has its room at once; whoever asks for this one waits until it can be opened again.
        drop(open.room.take());
        tokio::spawn(async move {
            open.close(WORK_MAX).await;
            drop(held);
        });
        true
    }
}

impl OpenHome {
    /// What was opened for a seat, with what keeps it.
    pub(super) fn begin(opened: OpenedHome, seat: &Seat) -> Self {
        let knowledge = Arc::downgrade(&opened.setup.knowledge);
        let served = ServedHome::with_browsers(opened.setup, Arc::clone(&seat.browsers));
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

    /// Whether nothing can be written to the home, or nothing keeps it any more.
    pub(super) fn is_gone(&self) -> bool {
        !(self.is_usable)() || self.kept.is_finished()
    }

    /// Whether work goes on in it, also for a client that has left.
    fn is_worked_with(&self) -> bool {
        Arc::strong_count(self.served.state()) > self.n_holders
    }

    /// Lets what is under way come to its end, for a while, and gives the home back.
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
        // A keeper that ended already waits for nothing.
        self.end.send(end).ok();
        drop(self.kept.await);
    }
}

pub(super) fn milliseconds(clock: &dyn Clock) -> u64 {
    u64::try_from(clock.monotonic().as_millis()).unwrap_or(u64::MAX)
}

/// A panic elsewhere leaves what is locked as it is.
pub(super) fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
