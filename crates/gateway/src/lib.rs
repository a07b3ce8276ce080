//! The interfaces of the memory to other programs: HTTP, MCP, and the owner's web page.
//!
//! Holds no policy: locks and origins are those of a chat, in `agent`.

pub mod http;
pub mod mcp;

mod page;
