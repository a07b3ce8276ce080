//! `openclaw chat`: a conversation with the owner, at a terminal, through a pipe or for one message.
//!
//! Holds no stage of the turn.

mod command;

mod once;
mod talk;

mod ears;
mod terminal;

mod slash;

mod asking;
mod say;
mod telling;

mod context;
mod freshness;
mod opening;
mod reports;
mod rest;
mod status;

pub(crate) use command::{Arguments, run};
pub(crate) use freshness::{finish, refresh_failure};
