//! Why: what a line of `MEMORY.md` comes from, and what became of a message or of a note.

mod history;
mod line;
mod said;

pub use history::{Why, WhyEvent, WhyReply, WhyStep, WhySubject};
