//! The owner's page: what waits for a decision, what is known, what was said, and how all of it stands.
//!
//! Holds no policy: it shows and calls what the command line shows and calls.

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
pub(crate) use routes::{asset_routes, routes};
