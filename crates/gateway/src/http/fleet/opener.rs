//! The interface to what opens the homes of a fleet, and to the keeper of each open home.
//!
//! Opens nothing itself.

use std::pin::Pin;

use tokio::sync::oneshot;

use crate::http::access::AccessToken;
use crate::http::error::HttpError;
use crate::http::newsroom::Newsroom;
use crate::http::state::HttpSetup;

/// A home that was opened for a fleet.
pub struct OpenedHome {
    /// The state that its requests share.
    pub setup: HttpSetup,
    /// Whether the home can still be written; if not, it is closed and opened again. Never blocks.
    pub is_usable: Box<dyn Fn() -> bool + Send + Sync>,
    /// Works for the home until it receives a [`HomeEnd`], then gives the home back.
    pub keeper: HomeKeeper,
}

/// Starts the background work for an open home; takes the newsroom to report to, and the signal to end.
pub type HomeKeeper = Box<dyn FnOnce(Newsroom, oneshot::Receiver<HomeEnd>) -> HomeKeeping + Send>;

/// The work of a [`HomeKeeper`].
pub type HomeKeeping = Pin<Box<dyn Future<Output = ()> + Send>>;

/// How a home is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HomeEnd {
    /// Nothing uses the home or its index.
    Quiet,
    /// Work that did not finish in time still uses its index.
    Busy,
}

/// Opens homes.
pub trait HomeOpener: Send + Sync {
    /// Opens a home; blocks. The error is the response to the client.
    fn open(&self, home: &str, token: &AccessToken) -> Result<OpenedHome, HttpError>;
}
