//! The door for programs and browsers that speak HTTP.
//!
//! Holds no policy about memory: who may ask, how much and how long is all that is decided here.

mod access;
mod api;
mod body;
mod error;
mod fleet;
mod guard;
mod limits;
mod newsroom;
mod openai;
mod openapi;
mod routes;
mod served;
mod server;
mod sign_in;
mod state;

pub use access::{AccessToken, BrowserSession, TOKEN_FILE, TokenError};
pub use error::HttpError;
pub use fleet::{Fleet, FleetSetup, HomeEnd, HomeOpener, Keeper, Kept, OpenedHome};
pub use newsroom::{NewsItem, Newsroom};
pub use served::ServedHome;
pub use server::{HttpServer, ListenError};
pub use state::{HttpSetup, HttpState, Programs};
