//! `openclaw dream`: runs dreams, reviews their candidates and undoes their changes.
//!
//! Judges no candidate itself.

mod candidate;
mod command;
mod decide;
mod decided;
mod desk;
mod keys;
mod list;
mod log;
mod now;
mod review;
mod show;
mod summary;
mod undo;

pub(crate) use command::{Arguments, run};
pub(crate) use desk::{DryRun, take_in_dreams, warn_of_candidates};
pub(crate) use list::show_waiting;
