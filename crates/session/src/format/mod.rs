//! The lines of a transcript: a superset of the OpenClaw session format, version 3.
//!
//! Parses and renders bytes; reads and writes no file.

mod content;
mod line;
mod message_reading;
mod message_writing;
mod record;
mod redacting;
mod rendering;
mod surrogates;

pub use content::{Damage, FORMAT_VERSION, Header, LINE_BYTES_MAX, LineContent, ShortMeta};
pub use rendering::RenderError;

pub(crate) use line::{is_plain_message, parse, parse_place, plain_place};
pub(crate) use redacting::{Extent, RedactedText, RedactionScope, redact};
pub(crate) use rendering::{render, render_header};

#[cfg(test)]
#[path = "format_tests.rs"]
mod tests;
