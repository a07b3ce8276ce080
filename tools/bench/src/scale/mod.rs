//! Measures the speed of indexing and search as memory grows, and the recall of the approximate vector scan.
//!
//! Prints figures and asserts none. The texts are synthetic and the same in every run.

mod machine;
mod made_up;

mod run;

pub(crate) use made_up::{MadeUp, MadeUpSection};
pub(crate) use run::{Arguments, at_least_one, notes, quantile, run};
