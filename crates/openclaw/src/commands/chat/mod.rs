//! `openclaw chat`: a conversation with the owner, at a terminal, through a pipe or for one message.
//!
//! Implements no stage of a turn.

mod command;

mod once;
mod talk;

mod input;
mod terminal;

mod slash;

mod acting;
mod asking;
mod event_printer;
mod say;

mod context;
mod idle;
mod index_refresh;
mod model_change;
mod opening;
mod reports;
mod resuming;
mod status;

pub(crate) use command::{Arguments, run};
pub(crate) use index_refresh::finish;
