//! The daily log: one Markdown file per day, into which each flush writes one block, exactly once.
//!
//! Never changes a byte that is not recognisably ours.

pub(crate) mod lines;

mod block;
mod read;
mod statements;

mod plan;
mod unfinished;
mod write;

mod add;
mod emptied;
mod take_back;

#[cfg(test)]
pub(crate) mod kit;

pub use add::{AddOutcome, AddReport, AddedUnder, add_note, add_notes};
pub use block::{FlushBlock, render};
pub(crate) use emptied::with_emptied;
pub use lines::BlockKind;
pub use read::without_comments;
pub(crate) use read::without_note_comment;
pub use take_back::{NotesAdded, added_keys, take_back_notes};
pub(crate) use write::inside;
pub use write::{BlockOutcome, BlockReport, LOG_BYTES_MAX, LogError, confirm_block, write_block};
