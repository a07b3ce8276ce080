//! What opens the homes of a fleet, and what keeps each while it is open.
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
    /// What its requests work with.
    pub setup: HttpSetup,
    /// Whether anything can still be written; a home that is not usable is closed and opened anew. Waits for nothing.
    pub is_usable: Box<dyn Fn() -> bool + Send + Sync>,
    /// Works for the home until it is told the end, then gives the home back.
    pub keeper: Keeper,
}

/// Starts what keeps a home while it is open: it receives a newsroom and is told when to end.
pub type Keeper = Box<dyn FnOnce(Newsroom, oneshot::Receiver<HomeEnd>) -> Kept + Send>;

/// The work of a [`Keeper`].
pub type Kept = Pin<Box<dyn Future<Output = ()> + Send>>;

/// How a home is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HomeEnd {
    /// Nobody uses it or its index.
    Quiet,
    /// Work that could not be waited for still uses its index.
    Busy,
}

/// Opens homes.
pub trait HomeOpener: Send + Sync {
    /// Opens a home; blocks. The error is what its owner is told.
    fn open(&self, home: &str, token: &AccessToken) -> Result<OpenedHome, HttpError>;
}
