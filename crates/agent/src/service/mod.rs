//! Background work while no one types: notes of idle sessions, index syncs, dreams, backups.
//!
//! Holds no user-facing text: the caller words the news.

mod backups;
mod dreams;
mod due_watch;
mod edits;
mod index;
mod look;
mod notes;
mod promises;
mod run;

pub use crate::jobs::idle::{
    Activity, ActivitySnapshot, IDLE_AFTER, LOOK_EVERY, NextFlush, UnflushedState, next_flush,
};
pub use backups::{BackUp, BackupNews};
pub use dreams::{DreamNews, Dreams};
pub use due_watch::DueWatch;
pub use edits::{Edits, EditsNews, EditsWatch, take_in_edits};
pub use index::{IndexNews, IndexRefresh, is_mended_by_refresh};
pub use notes::NotesNews;
pub use promises::{Notify, PromiseNews, QuietHours};
pub use run::{Service, ServiceNews};
