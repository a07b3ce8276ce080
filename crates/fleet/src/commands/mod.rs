//! The commands, one module each.
//!
//! They copy bytes without interpreting them, and make no decisions of their own.

mod address;
mod holder;
mod marker;
mod report;

pub(crate) mod exchange;
pub(crate) mod list;
pub(crate) mod rekey;
pub(crate) mod serve;
pub(crate) mod verify;
