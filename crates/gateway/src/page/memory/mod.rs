//! What is known about the owner: each line with what says so, search, notes by day, and the files.
//!
//! Changes nothing but at the owner's word, and only so that it can be taken back.

mod days;
mod file;
mod known;
mod search;
mod strike;
mod subpages;

pub(super) use days::{day, days};
pub(super) use file::{edit, files, restore, save};
pub(super) use known::{show, source};
pub(super) use search::search;
pub(super) use strike::{restore_struck, strike};
