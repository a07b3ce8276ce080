//! What is a kind of what.

mod table;

pub(crate) use table::{Kinds, Meaning};
