//! The lines of a transcript: a superset of the OpenClaw session format, version 3.
//!
//! Turns bytes into entries and entries into bytes; reads and writes no file.

mod line;
mod message_reading;
mod message_writing;
mod record;
mod rendering;
mod surrogates;

pub use line::{Damage, Header, LineContent, Place, ShortMeta};
pub use rendering::RenderError;

pub(crate) use line::{is_plain_message, parse, parse_place};
pub(crate) use rendering::{render, render_header};

/// The format that this version writes.
pub const FORMAT_VERSION: u64 = 3;

/// The longest line in bytes, its line end left out: a message with several pictures fits.
pub const LINE_BYTES_MAX: u64 = 64 * 1024 * 1024;

#[cfg(test)]
#[path = "format_tests.rs"]
mod tests;
