//! Reads conversations and memories of other programs, and recorded conversations.
//!
//! Never writes sessions.

mod formats;
mod memories;
mod recording;

pub use formats::{
    Conversation, ConversationSource, ImportError, ImportFormat, ImportedMessage, NotUnderstood,
    is_store, read_conversations, read_store,
};
pub use memories::{
    BlockError, Holds, Memory, MemoryFile, MemoryFileError, MemoryFormat, find_memories,
    memories_in, read_memory_file, to_json_lines, to_markdown, with_block,
};
pub use recording::{Recorded, Recording, RecordingError, line_in_scope, line_of};
