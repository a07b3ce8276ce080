//! What every request works with.
//!
//! Decides nothing.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use agent::{Door, Knowledge, Runtime};
use axum::http::StatusCode;
use base::{Clock, Embedder};
use tokio::sync::watch::Receiver;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::access::{AccessToken, BrowserSessions};
use super::error::HttpError;
use super::limits::{Budgets, WORKING_MAX};
use super::newsroom::Newsroom;
use super::openai::BusySessions;

/// The programs on this machine that were set up to use this memory.
pub trait Programs: Debug + Send + Sync {
    /// Their names.
    fn connected(&self) -> Vec<String>;
}

/// What whoever starts the service puts together.
#[derive(Debug)]
pub struct HttpSetup {
    /// What a turn works with.
    pub runtime: Runtime,
    /// What memory can be asked.
    pub knowledge: Arc<Knowledge>,
    /// What programs may ask of memory.
    pub door: Arc<Door>,
    /// What makes vectors of texts.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// When dreams begin, and what they may do.
    pub dreaming: dreaming::Settings,
    /// What programs show to be let in.
    pub token: AccessToken,
    /// Names under which the owner reaches the service, besides addresses and `localhost`.
    pub hosts: Vec<String>,
    /// Who else uses this memory; `None` where that is not known.
    pub programs: Option<Arc<dyn Programs>>,
}

/// Where the token of a home stands that is served alone.
pub(super) const TOKEN_PLACE: &str = "it stands in the file state/token of the home, or in OPENCLAW_TOKEN where `openclaw serve` runs";

/// What every request works with.
pub struct HttpState {
    /// What a turn works with.
    pub runtime: Runtime,
    /// What memory can be asked.
    pub knowledge: Arc<Knowledge>,
    /// What programs may ask of memory.
    pub door: Arc<Door>,
    /// When dreams begin, and what they may do.
    pub dreaming: dreaming::Settings,
    /// What happens, for whoever listens.
    pub news: Newsroom,
    pub(super) embedder: Option<Arc<dyn Embedder>>,
    pub(super) busy: BusySessions,
    pub(super) working: Arc<Semaphore>,
    /// Changes when the service ends.
    pub(super) ending: Receiver<()>,
    pub(super) began_at: Duration,
    pub(super) token: AccessToken,
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
            news: Newsroom::default(),
            embedder: setup.embedder,
            busy: BusySessions::default(),
            working: Arc::new(Semaphore::new(WORKING_MAX)),
            runtime: setup.runtime,
            knowledge: setup.knowledge,
            door: setup.door,
            dreaming: setup.dreaming,
            token: setup.token,
            hosts: setup.hosts,
            programs: setup.programs,
            browsers,
            budgets: Budgets::default(),
        }
    }

    /// Does what reads or writes files beside the connections, which it would hold up.
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
        let broken = |_| HttpError::internal("the work was broken off; this is a bug");
        worked.await.map_err(broken)?
    }

    /// Room for one more piece of work.
    pub(crate) fn permit(&self) -> Result<OwnedSemaphorePermit, HttpError> {
        let permit = Arc::clone(&self.working).try_acquire_owned();
        permit.map_err(|_| {
            let message = "too much is asked at once";
            HttpError::new(StatusCode::TOO_MANY_REQUESTS, message).after(2)
        })
    }

    /// The answer to a wrong token, in a header or in the form.
    pub(crate) fn wrong_token(&self) -> HttpError {
        wrong_token(&self.budgets, self.clock().monotonic(), TOKEN_PLACE)
    }

    /// Tells the time.
    pub(crate) fn clock(&self) -> &dyn Clock {
        &*self.runtime.home.clock
    }
}

/// The answer to a wrong token at `now`, with where the right one stands.
pub(crate) fn wrong_token(budgets: &Budgets, now: Duration, place: &str) -> HttpError {
    if budgets.take_wrong_token(now) {
        HttpError::new(StatusCode::UNAUTHORIZED, "this is not the token").hint(place)
    } else {
        let message = "too many wrong tokens";
        HttpError::new(StatusCode::TOO_MANY_REQUESTS, message).after(5)
    }
}
