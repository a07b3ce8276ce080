//! `openclaw session`: what was said, and going back in it.
//!
//! Never takes a line of a transcript away.

mod command;
mod compact;
mod context_course;
mod course;
mod expand;
mod fork;
mod list;
mod rewind;
mod show;
mod telling;
mod trouble;
mod verify;

pub(crate) use command::{Command, run};
use telling::{explained, tell};
