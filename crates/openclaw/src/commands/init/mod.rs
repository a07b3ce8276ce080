//! `openclaw init`: creates a home and, at a terminal, asks for the model that answers.
//!
//! Asks nothing without a terminal.

mod command;

mod choice;
mod offer;
mod pull;

pub(crate) use command::{Arguments, run};
