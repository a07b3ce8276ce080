//! Renders streamed Markdown at a terminal: styles in the text, tables in columns.
//!
//! Holds back only what may still become a style or a table, and loses no text.

mod mark;

mod inline;
mod table;

mod lines;

pub(super) use lines::MarkdownPrinter;
pub(super) use mark::Mark;
