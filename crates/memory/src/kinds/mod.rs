//! What is a kind of what.

mod table;

pub(crate) use table::{Kinds, Meaning};
pub use table::{is_called_otherwise, is_kind_of, kinds_of};
