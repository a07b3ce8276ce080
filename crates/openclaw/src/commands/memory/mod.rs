//! `openclaw memory`: searches and maintains memory.
//!
//! Ranks nothing and writes no note of its own.

mod add;
mod archive;
mod command;
mod correct;
mod export;
mod forget;
mod forgotten;
mod get;
mod import;
mod index;
mod known;
mod search;
mod status;
mod sync;

pub(crate) use command::{Command, run, show_found, show_status};
pub(crate) use forget::is_yes;
pub(crate) use known::Bar;
pub(crate) use search::{unread_in_words, unreadable_warning};
