//! Recorded conversations, the input of `replay`.
//!
//! Never reads lines or files beyond their size limits.

mod open;
mod recorded;

mod line_messages;
mod session_messages;

mod wire;
mod writing;

pub use open::Recording;
pub use recorded::{Recorded, RecordingError};
pub use writing::{line_in_scope, line_of};
