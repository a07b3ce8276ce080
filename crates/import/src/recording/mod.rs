//! Recorded conversations: what `replay` reads.
//!
//! Never writes, and never lets one line or one file exceed its bounds.

mod open;
mod recorded;

mod line_messages;
mod session_messages;

mod wire;
mod writing;

pub use open::Recording;
pub use recorded::{Recorded, RecordingError};
pub use writing::line_of;
