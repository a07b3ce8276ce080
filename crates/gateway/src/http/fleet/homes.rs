//! Serves many homes on one address: each request goes to the home whose token it carries.
//!
//! Opens a home on demand and closes it when it is idle. Knows neither buckets nor leases.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Form, FromRequest, Request};
use axum::http::{HeaderMap, Method, header};
use axum::response::{IntoResponse, Response};
use base::{Clock, content_hash, locked};
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::in_use::{InUse, UseGuard, UseKind};
use super::opener::HomeOpener;
use super::seat::{OpenHome, Seat, milliseconds};
use crate::http::access::AccessToken;
use crate::http::error::HttpError;
use crate::http::guard::{bearer, checked_sender, turned_away};
use crate::http::limits::{Budgets, DRAIN_MAX, FLEET_REQUESTS, FORM_BYTES_MAX};
use crate::http::sign_in::{SIGN_IN, SignIn, cookie, refused};
use crate::http::state::wrong_token;

/// Interval between searches for idle homes.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// How long a request waits for its home to open, or to close before that.
const OPENING_MAX: Duration = Duration::from_secs(30);

/// Hint on where to get the token of a home in a fleet.
const TOKEN_PLACE: &str = "ask the operator of the service for the token";

/// Everything that a fleet is built from.
pub struct FleetSetup {
    /// Opens homes.
    pub opener: Arc<dyn HomeOpener>,
    /// The name and token of each home.
    pub tokens: Vec<(String, AccessToken)>,
    /// Host names of the service, besides IP addresses and `localhost`.
    pub hosts: Vec<String>,
    /// How many homes may be open at once.
    pub open_max: usize,
    /// How long a home may be idle before it is closed.
    pub rest_max: Duration,
    /// The clock for idle times and rate limits.
    pub clock: Arc<dyn Clock>,
}

/// The homes of a fleet, open or not.
pub struct Fleet {
    opener: Arc<dyn HomeOpener>,
    /// By the hash of the token, so that the time of a lookup reveals nothing about a token.
    tokens: BTreeMap<String, (String, AccessToken)>,
    hosts: Vec<String>,
    rest_max: Duration,
    clock: Arc<dyn Clock>,
    seats: Mutex<BTreeMap<String, Arc<Seat>>>,
    room: Arc<Semaphore>,
    budgets: Budgets,
}

impl Fleet {
    /// Creates a fleet; opens no home yet.
    pub fn new(setup: FleetSetup) -> Self {
        let by_hash = |(home, token): (String, AccessToken)| (token.hash(), (home, token));
        Self {
            opener: setup.opener,
            tokens: setup.tokens.into_iter().map(by_hash).collect(),
            hosts: setup.hosts,
            rest_max: setup.rest_max,
            clock: setup.clock,
            seats: Mutex::default(),
            room: Arc::new(Semaphore::new(setup.open_max)),
            budgets: Budgets::new(FLEET_REQUESTS),
        }
    }

    /// Refuses foreign hosts and origins, and requests over the rate limit, before looking for a home.
    pub(crate) fn check_sender(&self, headers: &HeaderMap) -> Result<(), HttpError> {
        let asked = (&self.budgets, self.clock.monotonic());
        checked_sender(headers, &self.hosts, asked)
    }

    /// Passes a request to the home whose token it carries.
    pub(crate) async fn answer(self: Arc<Self>, request: Request) -> Response {
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
            // A task of its own: if the client disconnects, a home that was leased must still get its keeper.
            let opening = tokio::spawn(async move { fleet.opened(&home, &token).await });
            let opening = tokio::time::timeout(OPENING_MAX, opening).await;
            let slow = |_| HttpError::unavailable("the home is still being opened", LOOK_EVERY);
            let (routes, in_use) = opening.map_err(slow)?.map_err(HttpError::aborted)??;
            let response = match TowerToHyperService::new(routes).call(request).await {
                Ok(response) => response,
                Err(never) => match never {},
            };
            // The response to a GET may be an endless stream, which must not keep other homes from opening.
            let in_use = in_use.turned_into(kind);
            Ok::<_, HttpError>(response.map(|body| Body::new(InUse::new(body, in_use))))
        };
        answered.await.unwrap_or_else(IntoResponse::into_response)
    }

    /// Finds the home of a request by its token, its sign-in form or its cookie.
    async fn asked(&self, request: Request) -> Result<Addressee, HttpError> {
        if request.headers().contains_key(header::AUTHORIZATION) {
            let (home, token) = self.home_of(bearer(request.headers()).unwrap_or_default())?;
            return Ok(Addressee::Home(home, token, request));
        }
        if request.method() == Method::POST && request.uri().path() == SIGN_IN {
            let (parts, body) = request.into_parts();
            let bytes = to_bytes(body, FORM_BYTES_MAX).await.unwrap_or_default();
            let again = || Request::from_parts(parts.clone(), Body::from(bytes.clone()));
            let form = Form::<SignIn>::from_request(again(), &()).await;
            let sent = form.map_or_else(|_| String::new(), |Form(sent)| sent.token);
            return Ok(match self.home_of(&sent) {
                Ok((home, token)) => Addressee::Home(home, token, again()),
                Err(error) => Addressee::Nobody(refused(&error)),
            });
        }
        let now = self.clock.monotonic();
        let secret = cookie(request.headers());
        let signed_in = secret.and_then(|secret| {
            let seats = locked(&self.seats);
            let mut seats = seats.iter();
            let found = seats.find(|(_, seat)| seat.browsers.find(secret, now).is_some());
            found.map(|(home, _)| home.clone())
        });
        let mut homes = self.tokens.values();
        let own = signed_in.and_then(|home| homes.find(|(name, _)| *name == home));
        Ok(match own {
            Some((home, token)) => Addressee::Home(home.clone(), token.clone(), request),
            None => Addressee::Nobody(turned_away(&request, TOKEN_PLACE)),
        })
    }

    fn home_of(&self, token: &str) -> Result<(String, AccessToken), HttpError> {
        let found = self.tokens.get(&content_hash(token.trim().as_bytes()));
        let refused = || wrong_token(&self.budgets, self.clock.monotonic(), TOKEN_PLACE);
        found.cloned().ok_or_else(refused)
    }

    /// The routes of a home, which is opened if necessary, and a guard that marks it as in use.
    async fn opened(
        &self,
        home: &str,
        token: &AccessToken,
    ) -> Result<(Router, UseGuard), HttpError> {
        let seat = self.seat(home);
        let mut held = seat.home.lock().await;
        if let Some(lost) = held.take_if(|open| open.is_gone()) {
            lost.close(DRAIN_MAX).await;
        }
        let open = match &mut *held {
            Some(open) => open,
            none => {
                seat.check_failure()?;
                let opened = self.open(&seat, home, token).await;
                none.insert(opened.inspect_err(|error| seat.note_failure(error))?)
            }
        };
        Ok((open.served.router(), UseGuard::of(&seat, UseKind::Request)))
    }

    async fn open(
        &self,
        seat: &Seat,
        home: &str,
        token: &AccessToken,
    ) -> Result<OpenHome, HttpError> {
        let (by, name, token) = (Arc::clone(&self.opener), home.to_owned(), token.clone());
        let opening = tokio::task::spawn_blocking(move || by.open(&name, &token));
        let opened = opening.await.map_err(HttpError::aborted)??;
        let mut open = OpenHome::begin(opened, seat);
        // Only now, so that a home that fails to open does not close another.
        match self.make_room() {
            Ok(room) => open.room = Some(room),
            Err(error) => {
                open.close(DRAIN_MAX).await;
                return Err(error);
            }
        }
        Ok(open)
    }

    /// Reserves room for one more home; if there is none, closes the least recently used one without requests.
    fn make_room(&self) -> Result<OwnedSemaphorePermit, HttpError> {
        if let Ok(room) = Arc::clone(&self.room).try_acquire_owned() {
            return Ok(room);
        }
        let mut seats = self.all_seats();
        seats.sort_by_key(|seat| seat.used_at.load(Ordering::SeqCst));
        for seat in seats {
            if seat.close_if(|_| true)
                && let Ok(room) = Arc::clone(&self.room).try_acquire_owned()
            {
                return Ok(room);
            }
        }
        let message = "the maximum number of open homes is in use";
        Err(HttpError::unavailable(message, LOOK_EVERY))
    }

    /// Closes idle homes; never returns.
    pub(crate) async fn close_resting(self: Arc<Self>) {
        loop {
            tokio::time::sleep(LOOK_EVERY).await;
            let rest_max = u64::try_from(self.rest_max.as_millis()).unwrap_or(u64::MAX);
            let now = milliseconds(&*self.clock);
            for seat in self.all_seats() {
                seat.close_if(|seat| {
                    let used_at = seat.used_at.load(Ordering::SeqCst);
                    let has_streams = seat.n_streams.load(Ordering::SeqCst) > 0;
                    !has_streams && now.saturating_sub(used_at) >= rest_max
                });
            }
        }
    }

    /// Ends the streams of all homes, so that open connections can drain.
    pub(crate) fn end_streams(&self) {
        for seat in self.all_seats() {
            // A home that is being opened or closed has no streams.
            if let Ok(mut held) = seat.home.try_lock()
                && let Some(open) = &mut *held
            {
                open.served.end_streams();
            }
        }
    }

    /// Closes all homes concurrently; none opens afterwards.
    pub async fn close(&self) {
        self.room.close();
        let closing = self.all_seats().into_iter().map(|seat| async move {
            let open = seat.home.lock().await.take();
            if let Some(open) = open {
                open.close(DRAIN_MAX).await;
            }
        });
        // Leases that are not given back by then expire.
        let closed = futures_util::future::join_all(closing);
        drop(tokio::time::timeout(OPENING_MAX, closed).await);
    }

    fn seat(&self, home: &str) -> Arc<Seat> {
        let mut seats = locked(&self.seats);
        let seat = seats.entry(home.to_owned());
        Arc::clone(seat.or_insert_with(|| Arc::new(Seat::new(&self.clock))))
    }

    fn all_seats(&self) -> Vec<Arc<Seat>> {
        locked(&self.seats).values().cloned().collect()
    }
}

/// The home that a request is for, if any.
enum Addressee {
    Home(String, AccessToken, Request),
    /// It is turned away with this answer.
    Nobody(Response),
}
