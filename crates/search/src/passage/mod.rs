//! Passages: the units that search finds, cut from notes and messages with their exact lines.
//!
//! Pure: no I/O.

mod model;
mod signs;
mod split;

mod markdown;
mod message;
mod stretch;

pub(crate) use markdown::day_in;
pub use markdown::{MarkdownFile, cut_markdown};
pub(crate) use message::MessageCutter;
pub use model::{Heading, Passage, PassageKind};
pub(crate) use signs::ends_in_question;
pub use stretch::{ResumePlace, Stretch};
