//! `openclaw chat`: a conversation with the owner, at a terminal, through a pipe or for one message.
//!
//! Holds no stage of the turn.

mod command;

mod once;
mod talk;

mod ears;
mod lines;
mod quiet;
mod terminal;

mod slash;

mod asking;
mod interrupt;
mod say;
mod telling;
mod upkeep;

mod context;
mod freshness;
mod opening;
mod reports;
mod rest;
mod servers;
mod status;

pub(crate) use command::{Arguments, run};
pub(crate) use interrupt::pressed;
