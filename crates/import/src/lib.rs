//! Conversations of other programs and recorded ones, read as messages.
//!
//! Never writes into a session itself.

mod formats;
mod recording;

pub use formats::{
    Conversation, ImportError, ImportFormat, ImportedMessage, NotUnderstood, is_store,
    read_conversations, read_store,
};
pub use recording::{Recorded, Recording, RecordingError, line_of};
