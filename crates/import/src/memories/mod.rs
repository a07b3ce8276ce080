//! Memories of other programs: finds, reads and writes their files.
//!
//! Never changes the files that it reads, and never attributes text to the owner unless the format proves it.

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
