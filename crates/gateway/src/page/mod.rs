//! The owner's web page: home, chat, conversations, memory, review and settings.
//!
//! Makes no decisions of its own: shows and does the same as the command line.

mod frame;
mod markdown;
mod place;
mod words;

mod assets;
mod failure;
mod request;

mod chat;
mod context;
mod dreams;
#[cfg(any(test, debug_assertions))]
mod gallery;
mod home;
mod memory;
mod sessions;
mod status;

mod entrance;
mod news;
mod routes;

pub(crate) use entrance::entrance;
pub(crate) use failure::show_errors;
pub(crate) use routes::{asset_routes, routes};
