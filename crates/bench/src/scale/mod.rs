//! Measures how fast memory is built and searched as it grows, and what the quick look at vectors misses.
//!
//! Asserts no figure; the texts are made up, the same at every run.

mod machine;
mod made_up;

mod run;

pub(crate) use made_up::{MadeUp, Section};
pub(crate) use run::{Arguments, at_least_one, notes, quantile, run};
