//! Reads conversations of other programs.
//!
//! Never changes files, and never attributes text to the owner unless the format proves it.

mod model;

mod blocks;
mod branch;

mod chatgpt;
mod claude;
mod claude_code;
mod codex;
mod openclaw;

mod read;
mod store;

pub(crate) use blocks::assistant;
pub(crate) use chatgpt::instant;
pub use model::{
    Conversation, ConversationSource, ImportError, ImportFormat, ImportedMessage, NotUnderstood,
};
pub use read::read_conversations;
pub use store::{is_store, read_store};
