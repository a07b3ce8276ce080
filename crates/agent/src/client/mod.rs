//! Turns of programs that keep the conversation themselves and send all of it each time.
//!
//! Stores nothing twice: what is there already is found again, and only what follows it is appended.

mod align;
mod branch;

pub(crate) mod conversation;
pub(crate) mod frame;
pub(crate) mod session;
pub(crate) mod take_up;
