//! The notes of a flush, taken before older messages leave the window.
//!
//! Builds the request and reads its reply; writes nothing.

mod note;
mod reply;
mod request;

pub use note::{
    FlushNote, FlushNotes, FlushSection, Grounds, NoteRefusal, ProposedNote, RefusedNote,
    least_trusted,
};
pub use reply::{FlushReplyError, quoted_notes, read_notes, settle_notes};
pub(crate) use reply::{harmless_text, refused, settle};
pub use request::{FlushMode, SMALL_WINDOW, flush_request, flush_retry_request, sentence_request};
