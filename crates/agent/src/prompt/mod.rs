//! What a model is shown: stable prefix, conversation, volatile suffix.
//!
//! Never decides what leaves the conversation.

mod assemble;
mod parts;
mod prefix;
mod suffix;

pub(crate) use assemble::{Around, assemble_with};
pub use assemble::{Context, assemble};
pub(crate) use parts::Part;
pub use parts::{ContextPart, context_parts};
pub use prefix::least_prefix;
