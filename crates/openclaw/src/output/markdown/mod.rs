//! Markdown as it comes, made readable at a terminal: marks in the text, tables in columns.
//!
//! Holds back no more than what may still become one of these, and loses no word.

mod mark;

mod inline;
mod table;

mod lines;

pub(super) use lines::Markdown;
pub(super) use mark::Mark;
