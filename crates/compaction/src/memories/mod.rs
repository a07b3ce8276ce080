//! Notes that a model takes by a tool while it writes a summary: one reading for both.
//!
//! Gives a request and reads the calls of its replies; writes nothing.

mod call;
mod request;

pub use call::SavedMemories;
pub use request::{ROUNDS_MAX as MEMORY_ROUNDS_MAX, memories_request};
