//! Memories of other programs: finds, reads and writes their files.
//!
//! Never changes the files it reads, and never attributes to the owner what the format does not prove.

mod model;

mod block;
mod markdown;

mod chatgpt;
mod claude;
mod claude_code;
mod codex;
mod export;
mod hermes;
mod obsidian;
mod openclaw;

mod find;
mod read;

pub use block::{BlockError, with_block};
pub use export::{to_json_lines, to_markdown};
pub use find::find_memories;
pub use model::{Holds, Memory, MemoryFile, MemoryFileError, MemoryFormat};
pub use read::{memories_in, read_memory_file};
