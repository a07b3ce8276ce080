//! The HTTP interface for programs and browsers.
//!
//! Decides who may ask, how much and for how long; holds no policy about memory.

mod access;
mod api;
mod body;
mod error;
mod event_bus;
mod feed;
mod front;
mod guard;
mod limits;
mod openai;
mod openapi;
mod paths;
mod reworded;
mod route;
mod routes;
mod served;
mod server;
mod sign_in;
mod state;
mod untold;

pub(crate) use body::{FormBody, UrlPath, UrlQuery};

pub use access::{AccessToken, BrowserSession, BrowserSessions, FeedToken, TOKEN_FILE, TokenError};
pub use error::HttpError;
pub(crate) use event_bus::BackupRecord;
pub use event_bus::{EventBus, NewsItem};
pub use front::{Credentials, Front};
pub(crate) use openai::turn_failed;
pub use served::ServedHome;
pub use server::{Beside, HttpServer, ListenError, Site};
pub use state::{HttpSetup, HttpState, Programs};
