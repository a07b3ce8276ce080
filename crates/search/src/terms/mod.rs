//! Turns text into terms, the same way for the index and for a question.
//!
//! Independent of passages and postings.

mod identifier;
mod normal;
mod script;

mod analyse;
mod stop_words;
mod wish_cues;

pub(crate) use analyse::{Analyser, Term, TermKind, day_term, key};
pub use stop_words::CommonWords;
pub use wish_cues::WishCues;
