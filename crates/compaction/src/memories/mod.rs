//! Notes that a model saves through a tool while it writes a summary, so that it reads the span only once.
//!
//! Builds the request and reads the calls in its replies; writes nothing.

mod call;
mod request;

pub use call::SavedMemories;
pub use request::{ROUNDS_MAX as MEMORY_ROUNDS_MAX, memories_request};
