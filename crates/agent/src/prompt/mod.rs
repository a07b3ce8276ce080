//! Assembles requests: stable prefix, conversation, volatile suffix.
//!
//! Never decides what leaves the conversation.

mod assemble;
mod parts;
mod prefix;
mod suffix;

pub use assemble::{RequestContext, assemble};
pub(crate) use assemble::{RequestExtras, assemble_with};
pub use parts::{ContextPart, context_parts};
pub use prefix::least_prefix;
