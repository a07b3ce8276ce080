//! Takes connections and ends them: at once where nothing is asked, after the answer where something is.
//!
//! Knows no path.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use super::limits::{CONNECTIONS_MAX, SENDING_MAX};
use super::newsroom::Newsroom;
use super::routes::router;
use super::state::{HttpSetup, HttpState};
use crate::mcp::mcp_service;

/// How long answers may take that are under way when the service ends.
const DRAIN_MAX: Duration = Duration::from_secs(10);

/// How long it waits where the system gives no further connection, as with too many open files.
const REFUSED_REST: Duration = Duration::from_millis(200);

/// The service cannot listen.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ListenError {
    /// Another program does.
    #[error("another program listens at {0} already")]
    Taken(SocketAddr),
    /// The system does not let it.
    #[error("{0} cannot be listened at")]
    Refused(SocketAddr, #[source] io::Error),
}

/// A service that listens.
pub struct HttpServer {
    listener: TcpListener,
    at: SocketAddr,
    router: Router,
    news: Newsroom,
    ending: watch::Sender<()>,
    end_mcp: Box<dyn FnOnce() + Send>,
}

impl HttpServer {
    /// Listens from now on; connections wait until it runs.
    pub async fn bind(at: SocketAddr, setup: HttpSetup) -> Result<Self, ListenError> {
        let failed = |error: io::Error| {
            if error.kind() == io::ErrorKind::AddrInUse {
                ListenError::Taken(at)
            } else {
                ListenError::Refused(at, error)
            }
        };
        let listener = TcpListener::bind(at).await.map_err(failed)?;
        let at = listener.local_addr().map_err(failed)?;
        let (ending, told) = watch::channel(());
        let (mcp, end_mcp) = mcp_service(Arc::clone(&setup.door));
        let state = Arc::new(HttpState::new(setup, told));
        Ok(Self {
            listener,
            at,
            router: router(&state, mcp),
            news: state.news.clone(),
            ending,
            end_mcp,
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.at
    }

    /// Where to tell what the service does by itself.
    pub fn news(&self) -> Newsroom {
        self.news.clone()
    }

    /// Answers until `end` is ready; then lets what is under way come to its end, for a while.
    pub async fn run(self, end: impl Future<Output = ()>) {
        tokio::pin!(end);
        let draining = GracefulShutdown::new();
        let room = Arc::new(Semaphore::new(CONNECTIONS_MAX));
        loop {
            tokio::select! {
                biased;
                () = &mut end => break,
                (taken, permit) = next(&self.listener, &room) => match taken {
                    Ok((stream, _)) => serve(stream, self.router.clone(), (&draining, permit)),
                    Err(_) => tokio::time::sleep(REFUSED_REST).await,
                },
            }
        }
        drop(self.listener);
        // Streams of news have no end of their own.
        self.ending.send_replace(());
        (self.end_mcp)();
        // What is not done by then is broken off by the end of the process, as by a crash.
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
    // It is never closed.
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
        // A client that breaks off needs no answer.
        drop(watched.await);
        drop(permit);
    });
}
