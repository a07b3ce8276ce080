//! Why: the history of a line of `MEMORY.md`, of a message and of a note.

mod history;
mod line;
mod said;

pub use history::{Why, WhyEvent, WhyReply, WhyStep, WhySubject};
pub use said::{CitingNote, citing_notes};
