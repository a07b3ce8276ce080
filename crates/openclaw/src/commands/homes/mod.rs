//! `openclaw homes`: homes in a bucket or a folder of homes, moved there and back.
//!
//! Works on no home: what is moved is bytes.

mod address;
mod command;
mod exchange;
mod list;
mod marker;
mod verify;

pub(crate) use address::{Address, LAYOUT, Place};
pub(crate) use command::{Command, run};
pub(crate) use exchange::holder;
