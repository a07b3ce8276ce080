//! `DREAMS.md`: the pending candidates in a form that the owner reads and edits.
//!
//! Never loses text that the owner wrote between them.

mod parse;
mod read_back;
mod render;

pub use parse::{DreamBlock, ParsedDreams, parse};
pub(crate) use read_back::{Decision, read_back};
pub(crate) use render::rendered;
