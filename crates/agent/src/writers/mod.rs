//! The writers of notes and summaries: the models that are asked, and the contents that their replies must have.
//!
//! Reads and writes no files.

pub(crate) mod asking;
pub(crate) mod evidence;
pub(crate) mod grounds;
pub(crate) mod notes;
pub(crate) mod summarise;
pub(crate) mod unseen;

#[cfg(test)]
mod continuity_tests;
