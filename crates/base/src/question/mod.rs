//! Whether a text asks, told by its words in several languages.
//!
//! Knows no grammar and answers nothing.

mod asks;
mod east_asian;
mod opening;

pub use asks::{Asks, QUESTION_MARKS, asks};
