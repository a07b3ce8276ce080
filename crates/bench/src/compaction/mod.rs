//! Compares what the strategies of compaction keep, and what they cost, on sessions that are named by path.
//!
//! Never asks a model behind a network: summaries and notes are made by extraction.

mod counted;
mod delay;
mod evidence;
mod measure;
mod paced;
mod run;
mod table;
mod talk;

pub(crate) use run::{Arguments, run};
