//! The owner's web page: dreams, memory, sessions, context and status.
//!
//! Holds no policy: shows and does the same as the command line.

mod frame;
mod words;

mod assets;
mod failure;
mod request;

mod context;
mod dreams;
mod memory;
mod sessions;
mod status;

mod entrance;
mod news;
mod routes;

pub(crate) use entrance::entrance;
pub(crate) use failure::show_errors;
pub(crate) use routes::{asset_routes, routes};
