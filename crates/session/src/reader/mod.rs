//! Reads transcripts line by line, forwards and backwards, in bounded memory.
//!
//! Never locks, never writes, and never reads past the last line end.

mod backward;
mod file;
mod forward;

pub use forward::{ForwardReader, LineStart, TornTail, TranscriptLine};

pub(crate) use backward::BackwardReader;
use file::CHUNK_BYTES;

pub(crate) use file::{RawLine, RawText, TranscriptFile};

#[cfg(test)]
#[path = "reader_tests.rs"]
mod tests;
