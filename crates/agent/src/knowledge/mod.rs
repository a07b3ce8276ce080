//! What the assistant knows: the index over notes and conversations, and who may see what of it.
//!
//! Changes nothing that it reads.

pub(crate) mod index;
pub(crate) mod refresher;
pub(crate) mod replaced;
pub(crate) mod scope;
pub(crate) mod session_entries;
pub(crate) mod session_source;
mod standing_lines;
pub(crate) mod worth;
