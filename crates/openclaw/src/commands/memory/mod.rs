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
pub(crate) use forget::{ForgetConsent, is_yes, run_words as forget_words};
pub(crate) use known::Bar;
pub(crate) use search::{unread_in_words, unreadable_warning};
