//! The version of the format and the bounds of its lines.
//!
//! Numbers only.

/// The format that this version writes.
pub const FORMAT_VERSION: u64 = 3;

/// The longest line in bytes, its line end left out: a message with several pictures fits.
pub const LINE_BYTES_MAX: u64 = 64 * 1024 * 1024;
