//! Passages: the units that search finds, cut from notes and messages with their exact lines.
//!
//! Pure: text becomes passages, and nothing is read or written.

mod model;
mod signs;
mod split;

mod markdown;
mod message;
mod stretch;

mod hidden;

pub(crate) use hidden::{hidden_lines, without_hidden};
pub(crate) use markdown::cut_markdown;
pub(crate) use markdown::day_in;
pub(crate) use message::MessageCutter;
pub use model::{Passage, PassageKind};
pub(crate) use signs::ends_in_question;
pub use stretch::ResumePlace;
pub(crate) use stretch::Stretch;
