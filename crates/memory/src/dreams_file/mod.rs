//! `DREAMS.md`: the candidates that wait, as a person reads and edits them.
//!
//! Never loses what the owner wrote beside them.

mod parse;
mod read_back;
mod render;

pub use parse::{DreamBlock, ParsedDreams, parse};
pub(crate) use read_back::{Decision, read_back};
pub(crate) use render::rendered;
