//! The doors through which other programs reach the memory.
//!
//! Holds no policy: locks, origins and redaction are those of a chat, in `agent`.

pub mod http;
pub mod mcp;

mod page;
