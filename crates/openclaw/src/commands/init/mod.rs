//! `openclaw init`: creates a home and, at a terminal, asks for the owner's name and languages and for the model that
//! answers, and offers to take in what it finds on this machine.
//!
//! Asks nothing without a terminal.

mod command;

mod choice;
mod found;
mod offer;
mod owner;
mod pull;

pub(crate) use command::{Arguments, run};
pub(crate) use found::FoundHere;
