//! The daily log: one Markdown file per day, into which each flush writes one block, exactly once.
//!
//! Never changes a byte that is not recognisably ours.

pub(crate) mod lines;

pub(crate) mod extent;

mod block;
mod parse;
mod statements;

mod leftover;
mod plan;
mod write;

mod add;
mod emptied;

#[cfg(test)]
pub(crate) mod kit;

pub use add::{AddOutcome, AddReport, AddedUnder, add_note, add_notes};
pub use block::{FlushBlock, render};
pub(crate) use emptied::{sealed_again, with_emptied};
pub use lines::BlockKind;
pub(crate) use parse::readable_lines;
pub use parse::{BlockState, ParsedBlock, ParsedLog, ParsedNote, parse, without_comments};
pub(crate) use write::inside;
pub use write::{BlockOutcome, BlockReport, LOG_BYTES_MAX, LogError, confirm_block, write_block};
