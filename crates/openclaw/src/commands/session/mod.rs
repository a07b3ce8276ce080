//! `openclaw session`: what was said.
//!
//! Reads transcripts and writes none.

mod command;
mod context_course;
mod course;
mod list;
mod show;
mod trouble;
mod verify;

pub(crate) use command::{Command, run};
