//! What is a kind of what.

mod stand_ins;
mod table;

pub use stand_ins::StandIns;
pub(crate) use table::{Kinds, Meaning};
pub use table::{is_kind_of, kinds_of};
