//! The state that the requests to a home share.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use agent::{Door, Knowledge, Runtime};
use axum::http::StatusCode;
use base::{Clock, Embedder, locked};
use memory::candidates::{Access, MemoryTxn};
use tokio::sync::watch::Receiver;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::access::{AccessToken, BrowserSessions, FeedToken};
use super::error::HttpError;
use super::event_bus::EventBus;
use super::limits::{Budgets, LISTENING_MAX, REQUESTS, WORKING_MAX};
use super::openai::BusySessions;
use super::reworded::Reworded;
use super::untold::Untold;

/// Finds the programs on this machine that were set up to use this memory.
pub trait Programs: Debug + Send + Sync {
    /// The names of these programs.
    fn connected(&self) -> Vec<String>;
}

/// Everything that a served home is built from.
#[derive(Debug)]
pub struct HttpSetup {
    /// The runtime of turns.
    pub runtime: Runtime,
    /// Search over memory.
    pub knowledge: Arc<Knowledge>,
    /// Memory as other programs see it.
    pub door: Arc<Door>,
    /// Makes the vectors of `/v1/embeddings`, if one is set.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// The settings of dreams.
    pub dreaming: dreaming::DreamSettings,
    /// The token that admits programs and signs browsers in.
    pub token: AccessToken,
    /// The token of the calendar feed; `None` if there is no feed.
    pub feed: Option<FeedToken>,
    /// Host names of the service, besides IP addresses and `localhost`.
    pub hosts: Vec<String>,
    /// The programs that use this memory; `None` if that is unknown.
    pub programs: Option<Arc<dyn Programs>>,
}

/// Hint on where the token is, if a single home is served.
pub(super) const TOKEN_PLACE: &str =
    "find it in state/token of the home, or in the variable OPENCLAW_TOKEN of the service";

/// The state that the requests to a home share.
pub struct HttpState {
    /// The runtime of turns.
    pub runtime: Runtime,
    /// Search over memory.
    pub knowledge: Arc<Knowledge>,
    /// Memory as other programs see it.
    pub door: Arc<Door>,
    /// The settings of dreams.
    pub dreaming: dreaming::DreamSettings,
    /// News for all listeners.
    pub news: EventBus,
    /// Lines for pages of conversations that no open page could show.
    pub(crate) untold: Untold,
    /// The candidates whose old words return if their decision is undone.
    pub(crate) reworded: Reworded,
    pub(super) embedder: Option<Arc<dyn Embedder>>,
    pub(super) busy: BusySessions,
    pub(super) working: Arc<Semaphore>,
    /// Room for clients that listen to the news; each keeps its connection.
    pub(super) listening: Arc<Semaphore>,
    /// Changes when the service stops.
    pub(super) ending: Receiver<()>,
    pub(super) began_at: Duration,
    pub(super) token: AccessToken,
    pub(super) feed: Option<FeedToken>,
    pub(super) hosts: Vec<String>,
    pub(crate) programs: Option<Arc<dyn Programs>>,
    pub(super) browsers: Arc<BrowserSessions>,
    pub(super) budgets: Budgets,
}

impl HttpState {
    pub(super) fn new(
        setup: HttpSetup,
        browsers: Arc<BrowserSessions>,
        ending: Receiver<()>,
    ) -> Self {
        Self {
            began_at: setup.runtime.home.clock.monotonic(),
            ending,
            news: EventBus::default(),
            untold: Untold::default(),
            reworded: Reworded::default(),
            embedder: setup.embedder,
            busy: BusySessions::default(),
            working: Arc::new(Semaphore::new(WORKING_MAX)),
            listening: Arc::new(Semaphore::new(LISTENING_MAX)),
            runtime: setup.runtime,
            knowledge: setup.knowledge,
            door: setup.door,
            dreaming: setup.dreaming,
            token: setup.token,
            feed: setup.feed,
            hosts: setup.hosts,
            programs: setup.programs,
            browsers,
            budgets: Budgets::new(REQUESTS),
        }
    }

    /// Runs work that reads or writes files on a thread for blocking work, so that it does not stall connections.
    pub(crate) async fn work<T: Send + 'static>(
        self: &Arc<Self>,
        act: impl FnOnce(&Self) -> Result<T, HttpError> + Send + 'static,
    ) -> Result<T, HttpError> {
        let permit = self.permit()?;
        let state = Arc::clone(self);
        let worked = tokio::task::spawn_blocking(move || {
            let done = act(&state);
            drop(permit);
            done
        });
        worked.await.map_err(HttpError::aborted)?
    }

    /// Reserves room for one more piece of work; 429 if there is none.
    pub(crate) fn permit(&self) -> Result<OwnedSemaphorePermit, HttpError> {
        let permit = Arc::clone(&self.working).try_acquire_owned();
        permit.map_err(|_| {
            let message = "too many requests are under way";
            HttpError::new(StatusCode::TOO_MANY_REQUESTS, message).after(2)
        })
    }

    /// The error for a wrong token, in a header or in the form.
    pub(crate) fn wrong_token(&self) -> HttpError {
        wrong_token(&self.budgets, self.clock().monotonic(), TOKEN_PLACE)
    }

    /// Opens the desk, which locks memory; hold it briefly.
    pub(crate) fn desk(&self, access: Access) -> Result<MemoryTxn<'_>, HttpError> {
        Ok(self.runtime.home.desk(access)?)
    }

    pub(crate) fn clock(&self) -> &dyn Clock {
        &*self.runtime.home.clock
    }
}

/// The error for a wrong token at `now`; `place` hints at the right one. 429 after too many wrong ones.
pub(crate) fn wrong_token(budgets: &Budgets, now: Duration, place: &str) -> HttpError {
    if locked(&budgets.wrong_tokens).take(now) {
        HttpError::new(StatusCode::UNAUTHORIZED, "wrong token").hint(place)
    } else {
        let message = "too many wrong tokens";
        HttpError::new(StatusCode::TOO_MANY_REQUESTS, message).after(5)
    }
}
