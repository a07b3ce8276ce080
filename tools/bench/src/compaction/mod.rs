//! Compares how much the compaction strategies keep and cost, on sessions given by path.
//!
//! Uses no network: the offline engine writes summaries and notes.

mod counted;
mod delay;
mod evidence;
mod measure;
mod paced;
mod run;
mod table;
mod talk;

pub(crate) use run::{Arguments, run};
