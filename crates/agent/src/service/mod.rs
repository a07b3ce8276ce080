//! What is due when nobody types: notes of idle sessions, a fresh index, dreams.
//!
//! Says nothing to people: whoever runs it finds the words.

mod dreams;
mod index;
mod notes;
mod run;

pub use crate::idle::{
    Activity, IDLE_AFTER, LOOK_EVERY, NextFlush, Sighting, Unflushed, next_flush,
};
pub use dreams::{DreamNews, Dreams};
pub use index::{IndexNews, IndexRefresh, is_mended_by_refresh};
pub use notes::NotesNews;
pub use run::{Service, ServiceNews};
