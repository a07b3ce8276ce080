//! The interfaces for opening the homes of a fleet, and for the keeper of each open home.
//!
//! Opens nothing itself.

use std::pin::Pin;

use gateway::http::{AccessToken, EventBus, HttpError, HttpSetup};
use tokio::sync::oneshot;

/// An opened home of a fleet.
pub(crate) struct OpenedHome {
    /// The state that requests to the home share.
    pub(crate) setup: HttpSetup,
    /// Whether the home can still be written. If not, it is closed and opened again. Never blocks.
    pub(crate) is_usable: Box<dyn Fn() -> bool + Send + Sync>,
    /// Works for the home until it receives a [`HomeEnd`], then releases the home.
    pub(crate) keeper: HomeKeeper,
}

/// Starts the background work for an open home. Takes the event bus to report to, and the signal to end.
pub(crate) type HomeKeeper =
    Box<dyn FnOnce(EventBus, oneshot::Receiver<HomeEnd>) -> HomeKeeping + Send>;

/// The work of a [`HomeKeeper`].
pub(crate) type HomeKeeping = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The state in which a home is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HomeEnd {
    /// Nothing uses the home or its index any more.
    Quiet,
    /// Work that did not finish in time still uses the index.
    Busy,
}

/// Opens homes.
pub(crate) trait HomeOpener: Send + Sync {
    /// Opens a home; may block. The error is the response to the client.
    fn open(&self, home: &str, token: &AccessToken) -> Result<OpenedHome, HttpError>;
}
