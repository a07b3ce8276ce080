//! Reads transcripts line by line, forwards and backwards, in bounded memory.
//!
//! Never locks, never writes, and never reads past the last line end.

mod backward;
mod file;
mod forward;

pub use forward::{ForwardReader, Line, TornTail};

pub(crate) use backward::BackwardReader;
pub(crate) use file::{RawLine, RawText, TranscriptFile};

/// How much is read at once; a hundred lines or so.
const CHUNK_BYTES: usize = 64 * 1024;

#[cfg(test)]
#[path = "reader_tests.rs"]
mod tests;
