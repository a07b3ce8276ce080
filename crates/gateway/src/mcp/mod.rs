//! The server for clients of the Model Context Protocol.
//!
//! Prints nothing: standard output belongs to the protocol.

mod call;
mod lines;
mod prompts;
mod resources;
mod roots;
mod server;
mod tools;

pub use server::serve_stdio;
pub(crate) use server::{McpService, mcp_service};
pub use tools::McpDialect;
