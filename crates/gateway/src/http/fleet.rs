//! Many homes behind one door: each request goes to the home whose token it shows.
//!
//! A home is opened when it is asked for and closed when it rests. Knows neither buckets nor leases.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody, to_bytes};
use axum::extract::{Form, FromRequest, Request};
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base::{Clock, content_hash};
use hyper::body::{Frame, SizeHint};
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::task::JoinHandle;

use super::access::AccessToken;
use super::error::HttpError;
use super::guard::{bearer, checked_host, turned_away};
use super::limits::{Budgets, FORM_BYTES_MAX};
use super::newsroom::Newsroom;
use super::served::ServedHome;
use super::sign_in::{SIGN_IN, SignIn, cookie};
use super::state::{HttpSetup, HttpState, wrong_token};

/// How often homes that rest are looked for.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// How long the answers of a home may take that are under way when it is closed.
const DRAIN_MAX: Duration = Duration::from_secs(10);

/// A home that was opened for a fleet.
pub struct OpenedHome {
    /// What its requests work with.
    pub setup: HttpSetup,
    /// Works for it until it is told the end, then gives it back; ends earlier where the home is lost.
    pub keeper: Keeper,
}

/// What keeps a home while it is open: it is handed where to tell news, and is told the end.
pub type Keeper = Box<dyn FnOnce(Newsroom, oneshot::Receiver<()>) -> Kept + Send>;

/// The work of a [`Keeper`].
pub type Kept = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Opens homes.
pub trait HomeOpener: Send + Sync {
    /// Opens a home; blocks. The error is what its owner is told.
    fn open(&self, home: &str, token: &AccessToken) -> Result<OpenedHome, HttpError>;
}

/// What a fleet is made of.
pub struct FleetSetup {
    /// Opens homes.
    pub opener: Arc<dyn HomeOpener>,
    /// The names of homes, each with its token.
    pub tokens: Vec<(String, AccessToken)>,
    /// Names under which the service is reached, besides addresses and `localhost`.
    pub hosts: Vec<String>,
    /// How many homes may be open at once.
    pub open_max: usize,
    /// How long a home may rest before it is closed.
    pub rest_max: Duration,
    /// Tells the time.
    pub clock: Arc<dyn Clock>,
}

/// The homes of a fleet, open or not.
pub struct Fleet {
    opener: Arc<dyn HomeOpener>,
    /// By the hash of the token, so that the time of a look tells nothing of one.
    tokens: BTreeMap<String, (String, AccessToken)>,
    hosts: Vec<String>,
    rest_max: Duration,
    clock: Arc<dyn Clock>,
    seats: Mutex<BTreeMap<String, Arc<Seat>>>,
    room: Arc<Semaphore>,
    budgets: Budgets,
}

/// The place of a home, whether it is open or not.
#[derive(Default)]
struct Seat {
    /// Locked while it is opened or closed.
    home: Arc<tokio::sync::Mutex<Option<OpenHome>>>,
    /// The state of the home that is open, for whoever only looks.
    state: Mutex<Weak<HttpState>>,
    /// Milliseconds on the monotonic clock.
    used_at: AtomicU64,
}

struct OpenHome {
    served: ServedHome,
    /// Each request under way holds one.
    in_use: Arc<()>,
    end: oneshot::Sender<()>,
    kept: JoinHandle<()>,
    /// Given back when it begins to close.
    room: Option<OwnedSemaphorePermit>,
}

impl Fleet {
    /// Homes of which none is open yet.
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
            budgets: Budgets::default(),
        }
    }

    /// Answers a request in the home whose token it shows.
    pub(super) async fn answer(&self, request: Request) -> Response {
        let answered = async {
            checked_host(request.headers(), &self.hosts)?;
            let (home, token, request) = match self.asked(request).await? {
                Asked::Home(home, token, request) => (home, token, request),
                Asked::Nobody(request) => return Ok(turned_away(&request)),
            };
            let (routes, in_use) = self.opened(&home, &token).await?;
            let response = match TowerToHyperService::new(routes).call(request).await {
                Ok(response) => response,
                Err(never) => match never {},
            };
            Ok::<_, HttpError>(response.map(|body| {
                Body::new(InUse {
                    body,
                    _in_use: in_use,
                })
            }))
        };
        answered.await.unwrap_or_else(IntoResponse::into_response)
    }

    /// Which home a request is for.
    async fn asked(&self, request: Request) -> Result<Asked, HttpError> {
        if request.headers().contains_key(header::AUTHORIZATION) {
            let (home, token) = self.home_of(bearer(request.headers()).unwrap_or_default())?;
            return Ok(Asked::Home(home, token, request));
        }
        if request.method() == Method::POST && request.uri().path() == SIGN_IN {
            let (parts, body) = request.into_parts();
            let bytes = to_bytes(body, FORM_BYTES_MAX).await.unwrap_or_default();
            let again = || Request::from_parts(parts.clone(), Body::from(bytes.clone()));
            let form = Form::<SignIn>::from_request(again(), &()).await;
            let sent = form.map_or_else(|_| String::new(), |Form(sent)| sent.token);
            let (home, token) = self.home_of(&sent)?;
            return Ok(Asked::Home(home, token, again()));
        }
        let now = self.clock.monotonic();
        let secret = cookie(request.headers());
        let signed_in = secret.and_then(|secret| {
            let seats = self.seats();
            let mut seats = seats.iter().filter_map(|(home, seat)| {
                let state = lock(&seat.state).upgrade()?;
                Some((home, state))
            });
            seats.find_map(|(home, state)| {
                state.browsers.find(secret, now)?;
                Some((home.clone(), state.token.clone()))
            })
        });
        Ok(match signed_in {
            Some((home, token)) => Asked::Home(home, token, request),
            None => Asked::Nobody(request),
        })
    }

    fn home_of(&self, token: &str) -> Result<(String, AccessToken), HttpError> {
        let found = self.tokens.get(&content_hash(token.trim().as_bytes()));
        let place = "it stands in the file of tokens of whoever runs the service";
        let refused = || wrong_token(&self.budgets, self.clock.monotonic(), place);
        found.cloned().ok_or_else(refused)
    }

    /// The routes of a home, which is opened if need be, and what says that it is in use.
    async fn opened(
        &self,
        home: &str,
        token: &AccessToken,
    ) -> Result<(axum::Router, Arc<()>), HttpError> {
        let seat = Arc::clone(self.seats().entry(home.to_owned()).or_default());
        seat.used_at.store(self.now(), Ordering::Relaxed);
        let mut held = seat.home.lock().await;
        if let Some(lost) = held.take_if(|open| open.kept.is_finished()) {
            lost.close().await;
        }
        let open = match &mut *held {
            Some(open) => open,
            none => none.insert(self.open(&seat, home, token).await?),
        };
        Ok((open.served.router(), Arc::clone(&open.in_use)))
    }

    async fn open(
        &self,
        seat: &Seat,
        home: &str,
        token: &AccessToken,
    ) -> Result<OpenHome, HttpError> {
        let room = self.make_room()?;
        let (opener, name, token) = (Arc::clone(&self.opener), home.to_owned(), token.clone());
        let opening = tokio::task::spawn_blocking(move || opener.open(&name, &token));
        let broken = |_| HttpError::internal("the opening was broken off; this is a bug");
        let OpenedHome { setup, keeper } = opening.await.map_err(broken)??;
        let served = ServedHome::new(setup);
        let (end, ended) = oneshot::channel();
        let kept = tokio::spawn(keeper(served.news(), ended));
        *lock(&seat.state) = Arc::downgrade(served.state());
        Ok(OpenHome {
            served,
            in_use: Arc::default(),
            end,
            kept,
            room: Some(room),
        })
    }

    /// Room for one more home: the one that rests for longest makes it.
    fn make_room(&self) -> Result<OwnedSemaphorePermit, HttpError> {
        if let Ok(room) = Arc::clone(&self.room).try_acquire_owned() {
            return Ok(room);
        }
        let mut seats: Vec<Arc<Seat>> = self.seats().values().cloned().collect();
        seats.sort_by_key(|seat| seat.used_at.load(Ordering::Relaxed));
        for seat in seats {
            if seat.close_if(|_| true)
                && let Ok(room) = Arc::clone(&self.room).try_acquire_owned()
            {
                return Ok(room);
            }
        }
        let message = "as many homes are open and in use as may be";
        Err(HttpError::new(StatusCode::SERVICE_UNAVAILABLE, message).after(2))
    }

    /// Closes homes that rest; never ready.
    pub(super) async fn close_resting(self: Arc<Self>) {
        loop {
            tokio::time::sleep(LOOK_EVERY).await;
            let rest_max = u64::try_from(self.rest_max.as_millis()).unwrap_or(u64::MAX);
            let now = self.now();
            let seats: Vec<Arc<Seat>> = self.seats().values().cloned().collect();
            for seat in seats {
                seat.close_if(|used_at| now.saturating_sub(used_at) >= rest_max);
            }
        }
    }

    /// Ends the streams of all homes, so that whoever waits for the end of an answer has it.
    pub(super) async fn end_streams(&self) {
        let seats: Vec<Arc<Seat>> = self.seats().values().cloned().collect();
        for seat in seats {
            if let Some(open) = &mut *seat.home.lock().await {
                open.served.end_streams();
            }
        }
    }

    /// Closes all homes, several at once.
    pub async fn close(&self) {
        let seats: Vec<Arc<Seat>> = self.seats().values().cloned().collect();
        let closing = seats.into_iter().map(|seat| async move {
            let open = seat.home.lock().await.take();
            if let Some(open) = open {
                open.close().await;
            }
        });
        futures_util::future::join_all(closing).await;
    }

    fn now(&self) -> u64 {
        u64::try_from(self.clock.monotonic().as_millis()).unwrap_or(u64::MAX)
    }

    fn seats(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Seat>>> {
        lock(&self.seats)
    }
}

impl Seat {
    /// Begins to close the home that nobody uses, where the time of its last use is as it should be; whether it did.
    fn close_if(&self, is_due: impl Fn(u64) -> bool) -> bool {
        let Ok(mut held) = Arc::clone(&self.home).try_lock_owned() else {
            return false;
        };
        let is_due = is_due(self.used_at.load(Ordering::Relaxed));
        let unused = held.take_if(|open| is_due && Arc::strong_count(&open.in_use) == 1);
        let Some(mut open) = unused else {
            return false;
        };
        // Another home has its room at once; whoever asks for this one waits until it can be opened again.
        drop(open.room.take());
        tokio::spawn(async move {
            open.close().await;
            drop(held);
        });
        true
    }
}

impl OpenHome {
    /// Lets what is under way come to its end, for a while, and gives the home back.
    async fn close(mut self) {
        self.served.end_streams();
        let in_use = self.in_use;
        let drained = async {
            while Arc::strong_count(&in_use) > 1 {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        // What is not done by then is broken off, as by a crash.
        drop(tokio::time::timeout(DRAIN_MAX, drained).await);
        // The index is closed before it is stored.
        drop(self.served);
        // A keeper that ended already waits for nothing.
        self.end.send(()).ok();
        drop(self.kept.await);
    }
}

/// For whom a request is.
enum Asked {
    Home(String, AccessToken, Request),
    Nobody(Request),
}

/// The body of an answer, until whose end the home is in use.
struct InUse {
    body: Body,
    _in_use: Arc<()>,
}

impl HttpBody for InUse {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A panic elsewhere leaves what is locked as it is.
fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
