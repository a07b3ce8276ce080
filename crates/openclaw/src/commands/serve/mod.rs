//! `openclaw serve`: answers programs and browsers, for one home or for many.
//!
//! Decides nothing: the doors are those of `gateway`, the work that of `agent::service`.

mod assembled;
mod command;
mod fleet;
mod told;

pub(crate) use command::{Arguments, run};
