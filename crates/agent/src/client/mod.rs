//! Turns of clients that keep the conversation themselves and send all of it each time.
//!
//! Finds the messages already stored and appends only those that follow.

mod align;
mod branch;

pub(crate) mod conversation;
pub(crate) mod notice;
pub(crate) mod own_request;
pub(crate) mod session;
pub(crate) mod take_up;
