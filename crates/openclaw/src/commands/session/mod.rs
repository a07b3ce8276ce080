//! `openclaw session`: shows, rewinds, copies and removes conversations.
//!
//! Only redacting and deleting remove anything, and only with `--yes`.

mod command;
mod compact;
mod delete;
mod expand;
mod export;
mod fork;
pub(crate) mod import;
mod list;
pub(crate) mod naming;
mod redact;
mod rewind;
mod scrub;
mod show;
mod telling;
mod verify;

pub(crate) use command::{Command, run};
pub(crate) use compact::CompactReport;
use telling::{found, tell, tokens_of};
