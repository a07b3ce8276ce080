//! `openclaw config`: shows and changes settings.
//!
//! Writes only the owner's config.yaml, and only on request.

mod command;
mod record;
mod set;
mod show;
mod unset;

pub(crate) use command::{Command, run};
pub(crate) use record::record;
