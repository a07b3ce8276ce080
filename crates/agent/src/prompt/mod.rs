//! What a model is shown: stable prefix, conversation, volatile suffix.
//!
//! Never decides what leaves the conversation.

mod assemble;
mod prefix;
mod suffix;

pub use assemble::{Context, assemble};
