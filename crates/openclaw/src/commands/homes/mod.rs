//! `openclaw homes`: copies homes to and from a bucket or a folder of homes.
//!
//! Copies bytes without interpreting them.

mod address;
mod command;
mod exchange;
mod list;
mod marker;
mod rekey;
mod report;
mod verify;

pub(crate) use address::{Address, HomeStore};
pub(crate) use command::{Command, run};
pub(crate) use exchange::holder;
