//! What is due when nobody types: notes of sessions that rest, a fresh index, dreams.
//!
//! Says nothing to people: whoever runs it finds the words.

mod dreams;
mod idle;
mod index;
mod notes;
mod run;

pub use dreams::{DreamNews, Dreams};
pub(crate) use idle::rests;
pub use idle::{Activity, IDLE_AFTER, LOOK_EVERY, NextFlush, Sighting, Unflushed, next_flush};
pub use index::{IndexNews, IndexRefresh, is_mended_by_refresh};
pub use notes::NotesNews;
pub use run::{Service, ServiceNews};
