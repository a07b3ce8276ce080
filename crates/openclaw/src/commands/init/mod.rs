//! `openclaw init`: creates a home and, at a terminal, asks for the owner's name and languages and for the model that
//! answers.
//!
//! Asks nothing without a terminal.

mod command;

mod choice;
mod offer;
mod owner;
mod pull;

pub(crate) use command::{Arguments, run};
