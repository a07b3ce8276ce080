//! Accepts connections, and shuts them down gracefully: idle ones at once, others after their response.
//!
//! Knows no path.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::fleet::Fleet;
use super::limits::{CONNECTIONS_MAX, DRAIN_MAX, SENDING_MAX};
use super::routes::fleet_router;
use super::served::ServedHome;

/// Pause after a failed accept, as with too many open files.
const REFUSED_REST: Duration = Duration::from_millis(200);

/// The service cannot listen.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
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
    served: Served,
}

/// What answers requests.
enum Served {
    Home(ServedHome),
    Fleet(Arc<Fleet>),
}

impl HttpServer {
    /// Listens for one home; connections wait until [`Self::run`].
    pub async fn bind(at: SocketAddr, home: ServedHome) -> Result<Self, ListenError> {
        let router = home.router();
        Self::listening(at, router, Served::Home(home)).await
    }

    /// Listens for a fleet; connections wait until [`Self::run`].
    pub async fn bind_fleet(at: SocketAddr, fleet: Arc<Fleet>) -> Result<Self, ListenError> {
        let router = fleet_router(&fleet);
        Self::listening(at, router, Served::Fleet(fleet)).await
    }

    async fn listening(
        at: SocketAddr,
        router: Router,
        served: Served,
    ) -> Result<Self, ListenError> {
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
            router,
            served,
        })
    }

    /// The address that it listens on, with the actual port.
    pub fn address(&self) -> SocketAddr {
        self.at
    }

    /// Serves until `end` is ready, then drains open connections for a bounded time.
    pub async fn run(self, end: impl Future<Output = ()>) {
        tokio::pin!(end);
        let draining = GracefulShutdown::new();
        let room = Arc::new(Semaphore::new(CONNECTIONS_MAX));
        let mut resting: Pin<Box<dyn Future<Output = ()> + Send>> = match &self.served {
            Served::Home(_) => Box::pin(std::future::pending()),
            Served::Fleet(fleet) => Box::pin(Arc::clone(fleet).close_resting()),
        };
        loop {
            tokio::select! {
                biased;
                () = &mut end => break,
                (taken, permit) = next(&self.listener, &room) => match taken {
                    Ok((stream, _)) => serve(stream, self.router.clone(), (&draining, permit)),
                    Err(_) => tokio::time::sleep(REFUSED_REST).await,
                },
                () = &mut resting => {}
            }
        }
        drop(self.listener);
        match self.served {
            Served::Home(mut home) => home.end_streams(),
            Served::Fleet(fleet) => fleet.end_streams(),
        }
        // The end of the process cuts off the rest, like a crash.
        drop(tokio::time::timeout(DRAIN_MAX, draining.shutdown()).await);
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
    (draining, permit): (&GracefulShutdown, Option<OwnedSemaphorePermit>),
) {
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(SENDING_MAX)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    let watched = draining.watch(connection);
    tokio::spawn(async move {
        // Fails only if the client broke off.
        drop(watched.await);
        drop(permit);
    });
}
