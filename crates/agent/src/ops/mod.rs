//! Every operation on memory, sessions and dreams, once: a typed request, a typed reply.
//!
//! The command line, the chat's tools, MCP, HTTP and the page are adapters over them, and have none of their own.

mod error;
mod operation;

mod get;
mod search;

pub use error::{OpError, OpErrorKind};
pub use get::{Get, GetReply, NoteLines, SessionMessage, SessionMessages};
pub use operation::{OpContext, Operation};
pub use search::{Search, SearchReply, SearchSource, SpanReply};
