//! The assistant's knowledge: the index over notes and conversations, and the rules about who may see which part of it.
//!
//! Changes nothing that it reads.

pub(crate) mod index;
mod opening;
pub(crate) mod recent_notes;
pub(crate) mod refresher;
pub(crate) mod replaced;
pub(crate) mod said_by_memory;
pub(crate) mod scope;
pub(crate) mod session_entries;
pub(crate) mod session_source;
mod standing_lines;
pub(crate) mod worth;
