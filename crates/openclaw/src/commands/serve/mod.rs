//! `openclaw serve`: answers programs and browsers, for one home or for many.
//!
//! Holds no policy: `gateway` implements the protocols, `agent::service` the background work.

mod alone;
mod assembled;
mod command;
mod fleet;
mod told;

pub(crate) use command::{Arguments, run};
