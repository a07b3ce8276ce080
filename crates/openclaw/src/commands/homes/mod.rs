//! `openclaw homes`: copies homes to and from a bucket, a vault or a folder of homes.
//!
//! Copies bytes without interpreting them.

mod address;
mod command;
mod exchange;
mod holder;
mod list;
mod marker;
mod rekey;
mod report;
mod verify;

pub(crate) use address::{Address, HELD_BYTES_MAX, HomeStore, are_apart};
pub(crate) use command::{Command, run};
pub(crate) use holder::holder;
