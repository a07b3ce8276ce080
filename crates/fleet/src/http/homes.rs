//! Serves many homes on one address: passes each request to the home whose token it carries.
//!
//! Opens a home on demand and closes it when it is idle. Independent of buckets and leases.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::Method;
use axum::response::{IntoResponse, Response};
use base::{Clock, content_hash, locked};
use gateway::http::{AccessToken, Beside, Credentials, Front, HttpError, Site};
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::home_slot::{HomeSlot, OpenHome, milliseconds};
use super::in_use::{InUse, UseGuard, UseKind};
use super::opener::HomeOpener;

/// Interval between searches for idle homes.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// How long a request waits for its home to open, or first to close.
const OPENING_MAX: Duration = Duration::from_secs(30);

/// How long a home that is lost, or whose service ends, waits for work in it to finish.
const CLOSING_MAX: Duration = Duration::from_secs(10);

/// Hint that says where to get the token of a home in a fleet.
const TOKEN_PLACE: &str = "ask the operator of the service for the token";

/// The parts that a fleet is built from.
pub(crate) struct FleetSetup {
    /// Opens homes.
    pub(crate) opener: Arc<dyn HomeOpener>,
    /// The name and token of each home.
    pub(crate) tokens: Vec<(String, AccessToken)>,
    /// Host names of the service, besides IP addresses and `localhost`.
    pub(crate) hosts: Vec<String>,
    /// Maximum number of homes open at once.
    pub(crate) open_max: usize,
    /// How long a home may be idle before it is closed.
    pub(crate) rest_max: Duration,
    /// The clock for idle times and rate limits.
    pub(crate) clock: Arc<dyn Clock>,
}

/// The homes of a fleet, open or closed.
pub(crate) struct Fleet {
    opener: Arc<dyn HomeOpener>,
    /// Keyed by the hash of the token, so that the time of a lookup reveals nothing about a token.
    tokens: BTreeMap<String, (String, AccessToken)>,
    rest_max: Duration,
    clock: Arc<dyn Clock>,
    slots: Mutex<BTreeMap<String, Arc<HomeSlot>>>,
    room: Arc<Semaphore>,
    front: Arc<Front>,
}

impl Fleet {
    /// Creates a fleet without opening any home.
    pub(crate) fn new(setup: FleetSetup) -> Self {
        let by_hash = |(home, token): (String, AccessToken)| (token.hash(), (home, token));
        Self {
            opener: setup.opener,
            tokens: setup.tokens.into_iter().map(by_hash).collect(),
            front: Arc::new(Front::new(
                setup.hosts,
                TOKEN_PLACE,
                Arc::clone(&setup.clock),
            )),
            rest_max: setup.rest_max,
            clock: setup.clock,
            slots: Mutex::default(),
            room: Arc::new(Semaphore::new(setup.open_max)),
        }
    }

    /// Passes a request to the home whose token it carries.
    async fn answer(self: Arc<Self>, request: Request) -> Response {
        let answered = async {
            let (home, token, request) = match self.asked(request).await? {
                Addressee::Home(home, token, request) => (home, token, request),
                Addressee::Nobody(response) => return Ok(response),
            };
            let kind = if request.method() == Method::GET {
                UseKind::Stream
            } else {
                UseKind::Request
            };
            let fleet = Arc::clone(&self);
            // The task is separate: even if the client disconnects, a home that was leased must get its keeper.
            let opening = tokio::spawn(async move { fleet.opened(&home, &token).await });
            let opening = tokio::time::timeout(OPENING_MAX, opening).await;
            let slow = |_| HttpError::unavailable("the home is still being opened", LOOK_EVERY);
            let (routes, in_use) = opening.map_err(slow)?.map_err(HttpError::aborted)??;
            let response = match TowerToHyperService::new(routes).call(request).await {
                Ok(response) => response,
                Err(never) => match never {},
            };
            // The response to a GET can be an endless stream, which must not keep other homes from opening.
            let in_use = in_use.turned_into(kind);
            Ok::<_, HttpError>(response.map(|body| Body::new(InUse::new(body, in_use))))
        };
        answered.await.unwrap_or_else(IntoResponse::into_response)
    }

    /// Finds the home of a request by its token, its sign-in form or its cookie.
    async fn asked(&self, request: Request) -> Result<Addressee, HttpError> {
        let (shown, request) = Credentials::of(request).await;
        let found = match shown {
            Credentials::Bearer(token) => Some(self.home_of(&token)?),
            Credentials::SignIn(token) => match self.home_of(&token) {
                Ok(found) => Some(found),
                Err(error) => return Ok(Addressee::Nobody(Front::refused(&error))),
            },
            Credentials::Cookie(secret) => self.home_of_browser(&secret),
            Credentials::Missing => None,
        };
        Ok(match found {
            Some((home, token)) => Addressee::Home(home, token, request),
            None => Addressee::Nobody(self.front.turned_away(&request)),
        })
    }

    fn home_of(&self, token: &str) -> Result<(String, AccessToken), HttpError> {
        let found = self.tokens.get(&content_hash(token.trim().as_bytes()));
        found.cloned().ok_or_else(|| self.front.wrong_token())
    }

    fn home_of_browser(&self, secret: &str) -> Option<(String, AccessToken)> {
        let now = self.clock.monotonic();
        let home = {
            let slots = locked(&self.slots);
            let mut slots = slots.iter();
            let found = slots.find(|(_, slot)| slot.browsers.find(secret, now).is_some());
            found.map(|(home, _)| home.clone())?
        };
        self.tokens
            .values()
            .find(|(name, _)| *name == home)
            .cloned()
    }

    /// The routes of a home, which is opened if necessary, and a guard that marks the home as in use.
    async fn opened(
        &self,
        home: &str,
        token: &AccessToken,
    ) -> Result<(Router, UseGuard), HttpError> {
        let slot = self.slot(home);
        let mut held = slot.home.lock().await;
        if let Some(lost) = held.take_if(|open| open.is_gone()) {
            lost.close(CLOSING_MAX).await;
        }
        let open = match &mut *held {
            Some(open) => open,
            none => {
                slot.check_failure()?;
                let opened = self.open(&slot, home, token).await;
                none.insert(opened.inspect_err(|error| slot.note_failure(error))?)
            }
        };
        Ok((open.served.router(), UseGuard::of(&slot, UseKind::Request)))
    }

    async fn open(
        &self,
        slot: &HomeSlot,
        home: &str,
        token: &AccessToken,
    ) -> Result<OpenHome, HttpError> {
        let (by, name, token) = (Arc::clone(&self.opener), home.to_owned(), token.clone());
        let opening = tokio::task::spawn_blocking(move || by.open(&name, &token));
        let opened = opening.await.map_err(HttpError::aborted)??;
        let mut open = OpenHome::begin(opened, slot);
        // Room is made only now, so that a home that fails to open does not close another.
        match self.make_room() {
            Ok(room) => open.room = Some(room),
            Err(error) => {
                open.close(CLOSING_MAX).await;
                return Err(error);
            }
        }
        Ok(open)
    }

    /// Reserves room for one more home. If there is none, closes the least recently used home without requests.
    fn make_room(&self) -> Result<OwnedSemaphorePermit, HttpError> {
        if let Ok(room) = Arc::clone(&self.room).try_acquire_owned() {
            return Ok(room);
        }
        let mut slots = self.all_slots();
        slots.sort_by_key(|slot| slot.used_at.load(Ordering::SeqCst));
        for slot in slots {
            if slot.close_if(|_| true)
                && let Ok(room) = Arc::clone(&self.room).try_acquire_owned()
            {
                return Ok(room);
            }
        }
        let message = "the maximum number of open homes is in use";
        Err(HttpError::unavailable(message, LOOK_EVERY))
    }

    /// Closes idle homes in a loop; never returns.
    async fn close_resting(self: Arc<Self>) {
        loop {
            tokio::time::sleep(LOOK_EVERY).await;
            let rest_max = u64::try_from(self.rest_max.as_millis()).unwrap_or(u64::MAX);
            let now = milliseconds(&*self.clock);
            for slot in self.all_slots() {
                slot.close_if(|slot| {
                    let used_at = slot.used_at.load(Ordering::SeqCst);
                    let has_streams = slot.n_streams.load(Ordering::SeqCst) > 0;
                    !has_streams && now.saturating_sub(used_at) >= rest_max
                });
            }
        }
    }

    /// Ends the streams of all homes, so that open connections can drain.
    fn end_streams(&self) {
        for slot in self.all_slots() {
            // A home that is being opened or closed has no streams.
            if let Ok(mut held) = slot.home.try_lock()
                && let Some(open) = &mut *held
            {
                open.served.end_streams();
            }
        }
    }

    /// Closes all homes concurrently; none opens afterwards.
    pub(crate) async fn close(&self) {
        self.room.close();
        let closing = self.all_slots().into_iter().map(|slot| async move {
            let open = slot.home.lock().await.take();
            if let Some(open) = open {
                open.close(CLOSING_MAX).await;
            }
        });
        // Leases that are not released by then expire.
        let closed = futures_util::future::join_all(closing);
        drop(tokio::time::timeout(OPENING_MAX, closed).await);
    }

    fn slot(&self, home: &str) -> Arc<HomeSlot> {
        let mut slots = locked(&self.slots);
        let slot = slots.entry(home.to_owned());
        Arc::clone(slot.or_insert_with(|| Arc::new(HomeSlot::new(&self.clock))))
    }

    fn all_slots(&self) -> Vec<Arc<HomeSlot>> {
        locked(&self.slots).values().cloned().collect()
    }
}

/// The site of a fleet: each request that needs a home goes to the one whose token it carries.
pub(crate) struct FleetSite(pub(crate) Arc<Fleet>);

impl Site for FleetSite {
    fn router(&self) -> Router {
        let fleet = Arc::clone(&self.0);
        let answer = move |request| Arc::clone(&fleet).answer(request);
        self.0.front.router(answer)
    }

    fn beside(&self) -> Beside {
        Box::pin(Arc::clone(&self.0).close_resting())
    }

    fn end_streams(&mut self) {
        self.0.end_streams();
    }
}

/// The home that a request is for, if there is one.
enum Addressee {
    Home(String, AccessToken, Request),
    /// The request is rejected with this response.
    Nobody(Response),
}
