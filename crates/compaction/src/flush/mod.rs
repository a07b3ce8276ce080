//! What is written down before older messages leave the window.
//!
//! Gives a request and reads its reply; writes nothing.

mod note;
mod reply;
mod request;

pub use note::{FlushNote, FlushNotes, FlushSection};
pub(crate) use reply::note_on;
pub use reply::{FlushReplyError, parse_flush_reply};
pub use request::{FlushMode, flush_request};
