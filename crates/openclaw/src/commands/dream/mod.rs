//! `openclaw dream`: what deserves to last, proposed, reviewed and taken back.
//!
//! Judges no candidate itself.

mod command;
mod decide;
mod desk;
mod list;
mod log;
mod now;
mod show;
mod undo;

pub(crate) use command::{Arguments, run};
