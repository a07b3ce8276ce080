//! `openclaw init`: a home to begin with, and at a terminal the model that answers.
//!
//! Asks nothing where nobody is there.

mod command;

mod choice;
mod offer;
mod pull;

pub(crate) use command::{Arguments, run};
