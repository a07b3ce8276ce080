//! Scores the ranking on evaluation sets: notes or messages, questions, and where the answers stand.
//!
//! Never copies a set: files are named by path and read in place.

pub(crate) mod set;

pub(crate) mod beam;
mod beir;
mod locomo;

mod folds;
pub(crate) mod measure;
mod run;
mod table;

pub(crate) use run::{Arguments, run};
