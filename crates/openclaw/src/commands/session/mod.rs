//! `openclaw session`: what was said, and going back in it.
//!
//! Only redacting and deleting take something away, and only at the owner's word.

mod command;
mod compact;
mod delete;
mod expand;
mod export;
mod fork;
pub(super) mod import;
mod list;
mod redact;
mod rewind;
mod scrub;
mod show;
mod telling;
mod verify;

pub(crate) use command::{Command, run};
pub(crate) use compact::CompactReport;
use telling::{explained, tell};
