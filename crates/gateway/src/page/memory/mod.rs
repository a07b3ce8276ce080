//! The pages about memory: its lines with their evidence, search, notes by day, and files.
//!
//! Changes something only if the owner asks for it, and each change can be undone.

mod asked;
mod days;
mod file;
mod known;
mod life;
mod reword;
#[cfg(any(test, debug_assertions))]
mod samples;
mod search;
mod shown;
mod strike;
mod subpages;

pub(super) use asked::{correct, remember};
pub(super) use days::{day, days};
pub(super) use file::{edit, files, restore, save};
pub(super) use known::show;
pub(super) use life::source;
pub(super) use search::search;
pub(super) use strike::{restore_struck, strike};

#[cfg(any(test, debug_assertions))]
pub(super) use samples::samples;
