//! Limits the data that a server sends before the client library reads it: the library collects error bodies and
//! unfinished lines without a limit.
//!
//! The library sends a request to a port of this machine that takes only this request and forwards it to the server.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io;
use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use futures_util::{Stream, StreamExt, stream};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use reqwest::header::{CONNECTION, CONTENT_LENGTH, HOST, HeaderMap, TRANSFER_ENCODING};
use reqwest::{Body, Client, Response, Url};
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};

use super::limits::REPLY_BYTES_MAX;

/// An error body, in bytes; longer ones are cut.
const ERROR_BYTES_MAX: usize = 64 * 1024;

/// One event or line of a streamed reply, in bytes.
const EVENT_BYTES_MAX: usize = 2 * 1024 * 1024;

/// A reply that is sent whole, in bytes: escaped, it is longer than its text.
const WHOLE_BYTES_MAX: usize = 2 * REPLY_BYTES_MAX;

/// How a reply arrives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReplyShape {
    /// In events, each ended by an empty line.
    Events,
    /// In lines.
    Lines,
    /// As one body.
    Whole,
}

/// The reason why a request failed beyond the relay; the client library sees only a closed connection.
#[derive(Debug, thiserror::Error)]
pub(super) enum RelayError {
    #[error(transparent)]
    Http(#[from] reqwest::Error),
    #[error("the server sent {0} bytes without the end of an event")]
    LongEvent(usize),
    #[error("the reply is larger than {0} bytes")]
    LongReply(usize),
}

/// The relay of one request; it ends when dropped.
#[derive(Debug)]
pub(super) struct Relay {
    /// Replaces the base address of the server.
    pub(super) base_url: Url,
    failure: FailureSlot,
    has_answered: Arc<AtomicBool>,
    serving: JoinHandle<()>,
}

type FailureSlot = Arc<Mutex<Option<RelayError>>>;

/// What the relay forwards to.
#[derive(Debug)]
struct Forward {
    http: Client,
    base_url: Url,
    /// Begins each path, so that other programs cannot use the relay.
    prefix: String,
    shape: ReplyShape,
    failure: FailureSlot,
    has_answered: Arc<AtomicBool>,
}

impl Relay {
    /// Opens a relay to a server.
    pub(super) async fn open(
        (http, base_url): (&Client, &Url),
        shape: ReplyShape,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let port = listener.local_addr()?.port();
        let prefix = format!("/{}{}/", random(), random());
        let text = format!("http://127.0.0.1:{port}{prefix}");
        let failure = FailureSlot::default();
        let has_answered = Arc::new(AtomicBool::new(false));
        let forward = Forward {
            http: http.clone(),
            base_url: base_url.clone(),
            prefix,
            shape,
            failure: Arc::clone(&failure),
            has_answered: Arc::clone(&has_answered),
        };
        Ok(Self {
            base_url: Url::parse(&text).map_err(io::Error::other)?,
            failure,
            has_answered,
            serving: tokio::spawn(forward.serve(listener)),
        })
    }

    /// Whether the head of a response has come from the server.
    pub(super) fn has_answered(&self) -> bool {
        self.has_answered.load(Ordering::Relaxed)
    }

    /// The reason for the failure, if the request failed beyond the relay.
    pub(super) fn take_failure(&self) -> Option<RelayError> {
        base::locked(&self.failure).take()
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// Hexadecimal digits that other programs cannot guess.
fn random() -> String {
    // Each state has random keys.
    format!("{:016x}", RandomState::new().build_hasher().finish())
}

impl Forward {
    async fn serve(self, listener: TcpListener) {
        let forward = Arc::new(self);
        // Ends all connections when dropped.
        let mut connections = JoinSet::new();
        while let Ok((connection, _)) = listener.accept().await {
            let forward = Arc::clone(&forward);
            let service = service_fn(move |request| Arc::clone(&forward).answer(request));
            let serving = http1::Builder::new().serve_connection(TokioIo::new(connection), service);
            // A failure is in the slot.
            connections.spawn(async { drop(serving.await) });
        }
    }

    async fn answer(
        self: Arc<Self>,
        request: hyper::Request<Incoming>,
    ) -> Result<hyper::Response<Body>, io::Error> {
        let path = request.uri().path_and_query();
        let path = path.and_then(|it| it.as_str().strip_prefix(&self.prefix));
        let path = path.ok_or_else(|| io::Error::other("not the path of this request"))?;
        let url = self.base_url.join(path).map_err(io::Error::other)?;
        let (head, body) = request.into_parts();
        let mut headers = head.headers;
        headers.remove(HOST);
        headers.remove(CONNECTION);
        let asked = self.http.request(head.method, url).headers(headers);
        let sent = asked.body(Body::wrap(body)).send().await;
        let response = sent.map_err(|error| failed(&self.failure, error.into()))?;
        self.has_answered.store(true, Ordering::Relaxed);
        let mut answer = hyper::Response::new(Body::default());
        *answer.status_mut() = response.status();
        *answer.headers_mut() = passed_on(response.headers());
        *answer.body_mut() = self.bounded(response);
        Ok(answer)
    }

    fn bounded(&self, response: Response) -> Body {
        let is_error = !response.status().is_success();
        let pieces = response.bytes_stream();
        if is_error {
            return Body::wrap_stream(cut(pieces));
        }
        let failure = Arc::clone(&self.failure);
        let mut length = BoundedLength::new(self.shape);
        Body::wrap_stream(pieces.map(move |piece| {
            let piece = piece.map_err(|error| failed(&failure, error.into()))?;
            length
                .add(&piece)
                .map_err(|error| failed(&failure, error))?;
            Ok::<_, io::Error>(piece)
        }))
    }
}

fn failed(slot: &FailureSlot, error: RelayError) -> io::Error {
    *base::locked(slot) = Some(error);
    io::Error::other("the request failed behind the relay")
}

/// The headers of a response that hold for a body of another length.
fn passed_on(headers: &HeaderMap) -> HeaderMap {
    let mut headers = headers.clone();
    for name in [CONNECTION, CONTENT_LENGTH, TRANSFER_ENCODING] {
        headers.remove(name);
    }
    headers
}

/// The beginning of an error body.
fn cut<E>(pieces: impl Stream<Item = Result<Bytes, E>>) -> impl Stream<Item = Result<Bytes, E>> {
    let pieces = Box::pin(pieces);
    stream::unfold((pieces, ERROR_BYTES_MAX), |(mut pieces, left)| async move {
        if left == 0 {
            return None;
        }
        let piece = pieces.next().await?;
        let piece = piece.map(|mut piece| piece.split_to(left.min(piece.len())));
        let n_bytes = piece.as_ref().map_or(left, Bytes::len);
        Some((piece, (pieces, left - n_bytes)))
    })
}

/// Counts the bytes of a reply, or of its unfinished event.
#[derive(Debug)]
struct BoundedLength {
    shape: ReplyShape,
    n_bytes: usize,
    /// Bytes of the unfinished line.
    n_in_line: usize,
    last: u8,
}

impl BoundedLength {
    fn new(shape: ReplyShape) -> Self {
        Self {
            shape,
            n_bytes: 0,
            n_in_line: 0,
            last: 0,
        }
    }

    fn add(&mut self, piece: &[u8]) -> Result<(), RelayError> {
        if self.shape == ReplyShape::Whole {
            self.n_bytes += piece.len();
            let is_short = self.n_bytes <= WHOLE_BYTES_MAX;
            return is_short
                .then_some(())
                .ok_or(RelayError::LongReply(WHOLE_BYTES_MAX));
        }
        for byte in piece {
            self.n_bytes += 1;
            match (self.last, byte) {
                (b'\r', b'\n') => {}
                (_, b'\n' | b'\r') => {
                    if self.shape == ReplyShape::Lines || self.n_in_line == 0 {
                        self.n_bytes = 0;
                    }
                    self.n_in_line = 0;
                }
                _ => self.n_in_line += 1,
            }
            self.last = *byte;
            if self.n_bytes > EVENT_BYTES_MAX {
                return Err(RelayError::LongEvent(EVENT_BYTES_MAX));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "relay_tests.rs"]
mod tests;
