//! `openclaw memory`: what is known.
//!
//! Ranks nothing and writes no note of its own.

mod command;
mod index;
mod known;
mod search;

pub(crate) use command::{Command, run};
