//! The daily log: one Markdown file a day, into which each flush writes one block, exactly once.
//!
//! Never changes a byte that is not recognisably the program's own.

mod block;
pub(crate) mod lines;
mod parse;
mod standing;

mod leftover;
mod plan;
mod write;

mod add;
mod emptied;

#[cfg(test)]
mod kit;

pub use add::{AddOutcome, AddReport, add_note};
pub use block::{BlockKind, FlushBlock, render};
pub(crate) use emptied::{sealed_again, with_emptied};
pub use parse::{
    BlockState, NoteState, ParsedBlock, ParsedLog, ParsedNote, parse, without_comments,
};
pub(crate) use parse::{Extent, content_of, extents};
pub(crate) use write::inside;
pub use write::{BlockOutcome, BlockReport, LOG_BYTES_MAX, LogError, confirm_block, write_block};
