//! Recorded conversations: what `replay` reads.
//!
//! Never writes, and never lets one line or one file exceed its bounds.

mod line_source;
mod open;
mod wire;

pub use open::{Recorded, Recording, RecordingError};
