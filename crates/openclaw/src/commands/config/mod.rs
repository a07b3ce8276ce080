//! `openclaw config`: the settings.
//!
//! Changes none but the owner's own, and only where that was asked for.

mod command;
mod record;
mod set;
mod show;
mod unset;

pub(crate) use command::{Command, run};
pub(crate) use record::record;
