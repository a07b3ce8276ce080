//! Brings back what a summary replaced, word for word, within a budget.
//!
//! Writes nothing.

mod choose;
mod expansion;

pub use choose::{ExpandOrder, Piece};
pub use expansion::{ExpandError, ExpandOptions, Expansion, expand};
