//! `openclaw config`: the settings.
//!
//! Reads them and changes none.

mod command;
mod show;

pub(crate) use command::{Command, run};
