//! Accepts connections, and shuts them down gracefully: idle ones at once, others after their response.
//!
//! Independent of paths.

use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use super::limits::{CONNECTIONS_MAX, DRAIN_MAX, SENDING_MAX};

/// Pause after a failed accept, as with too many open files.
const REFUSED_REST: Duration = Duration::from_millis(200);

/// The service cannot listen.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    /// Another program listens at this address.
    #[error("another program is already listening on {0}")]
    Taken(SocketAddr),
    /// The system refuses the address.
    #[error("cannot listen on {0}")]
    Refused(SocketAddr, #[source] io::Error),
}

/// An HTTP server that listens.
pub struct HttpServer {
    listener: TcpListener,
    at: SocketAddr,
    router: Router,
    site: Box<dyn Site>,
}

/// The content of a server: one home, or anything else that has routes.
pub trait Site: Send {
    /// The routes.
    fn router(&self) -> Router;

    /// Work alongside the requests; it never ends, and is dropped with the server.
    fn beside(&self) -> Beside {
        Box::pin(std::future::pending())
    }

    /// Ends the responses that do not end by themselves, so that open connections can drain.
    fn end_streams(&mut self);
}

/// The work of a [`Site`] alongside its requests.
pub type Beside = Pin<Box<dyn Future<Output = ()> + Send>>;

impl HttpServer {
    /// Listens; connections wait until [`Self::run`].
    pub async fn bind(at: SocketAddr, site: impl Site + 'static) -> Result<Self, ListenError> {
        let failed = |error: io::Error| {
            if error.kind() == io::ErrorKind::AddrInUse {
                ListenError::Taken(at)
            } else {
                ListenError::Refused(at, error)
            }
        };
        let listener = TcpListener::bind(at).await.map_err(failed)?;
        let at = listener.local_addr().map_err(failed)?;
        Ok(Self {
            listener,
            at,
            router: site.router(),
            site: Box::new(site),
        })
    }

    /// The address that it listens on, with the actual port.
    pub fn address(&self) -> SocketAddr {
        self.at
    }

    /// Serves until `end` is ready, then drains open connections for a bounded time.
    pub async fn run(mut self, end: impl Future<Output = ()>) {
        tokio::pin!(end);
        // A change closes idle connections, and others after their response.
        let (closing, _) = watch::channel(());
        let room = Arc::new(Semaphore::new(CONNECTIONS_MAX));
        let mut beside = self.site.beside();
        loop {
            tokio::select! {
                biased;
                () = &mut end => break,
                (taken, permit) = next(&self.listener, &room) => {
                    // The last one, or one too many: idle connections make room for the next.
                    if taken.is_err() || room.available_permits() == 0 {
                        closing.send_replace(());
                    }
                    if let Ok((stream, _)) = taken {
                        serve(stream, self.router.clone(), (closing.subscribe(), permit));
                    } else {
                        tokio::time::sleep(REFUSED_REST).await;
                    }
                }
                () = &mut beside => {}
            }
        }
        drop(self.listener);
        self.site.end_streams();
        // The end of the process cuts off the rest, like a crash.
        closing.send_replace(());
        drop(tokio::time::timeout(DRAIN_MAX, closing.closed()).await);
    }
}

async fn next(
    listener: &TcpListener,
    room: &Arc<Semaphore>,
) -> (
    io::Result<(TcpStream, SocketAddr)>,
    Option<OwnedSemaphorePermit>,
) {
    // The semaphore is never closed, so this is always `Some`.
    let permit = Arc::clone(room).acquire_owned().await.ok();
    (listener.accept().await, permit)
}

fn serve(
    stream: TcpStream,
    router: Router,
    (mut closing, permit): (watch::Receiver<()>, Option<OwnedSemaphorePermit>),
) {
    let has_asked = Arc::new(AtomicBool::new(false));
    let (asks, answers) = (Arc::clone(&has_asked), TowerToHyperService::new(router));
    let service = service_fn(move |request| {
        asks.store(true, Ordering::Relaxed);
        answers.call(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(SENDING_MAX)
        .serve_connection(TokioIo::new(stream), service);
    tokio::spawn(async move {
        let mut connection = pin!(connection);
        // A connection fails only if the client broke off.
        tokio::select! {
            // A request that has arrived is answered first.
            biased;
            ended = connection.as_mut() => drop(ended),
            // Waiting for the rest of a first request could take until its timeout.
            _ = closing.changed() => if has_asked.load(Ordering::Relaxed) {
                connection.as_mut().graceful_shutdown();
                drop(connection.await);
            }
        }
        drop(permit);
    });
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::time::timeout;

    use super::*;
    use crate::http::routes::open_routes;

    /// A site without a home.
    struct NoHome;

    impl Site for NoHome {
        fn router(&self) -> Router {
            open_routes()
        }

        fn end_streams(&mut self) {}
    }

    #[tokio::test]
    async fn idle_connections_do_not_block_new_requests() {
        let at = SocketAddr::from(([127, 0, 0, 1], 0));
        let server = HttpServer::bind(at, NoHome).await.unwrap();
        let at = server.address();
        tokio::spawn(server.run(std::future::pending()));
        let mut idle = Vec::new();
        for number in 0..CONNECTIONS_MAX + 20 {
            let mut stream = TcpStream::connect(at).await.unwrap();
            if number % 2 == 0 {
                stream.write_all(b"GET /health HTTP/1.1\r\n").await.unwrap();
            }
            idle.push(stream);
        }
        let asked = async {
            let mut stream = TcpStream::connect(at).await.unwrap();
            let request = b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
            stream.write_all(request).await.unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).await.unwrap();
            answer
        };
        let answer = timeout(SENDING_MAX / 2, asked).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    }
}
