//! What is a kind of what.

mod table;

pub use table::is_kind_of;
pub(crate) use table::{Kinds, Meaning};
