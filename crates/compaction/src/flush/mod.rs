//! What is written down before older messages leave the window.
//!
//! Gives a request and reads its reply; writes nothing.

mod note;
mod reply;
mod request;

pub use note::{FlushNote, FlushNotes, FlushSection};
pub use reply::{FlushReplyError, parse_flush_reply};
pub(crate) use reply::{N_NOTES_MAX, note_on};
pub use request::{FlushMode, flush_request};
