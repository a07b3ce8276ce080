//! Syncs the index with notes and documents.
//!
//! One bad file never stops the others.

mod notes;
mod plan;

mod run;

pub use notes::NOTE_BYTES_MAX;
pub use plan::Unread;
pub(crate) use plan::{FIRST_BYTES_MAX, SMALL_BYTES_MAX, SMALL_FILES_MAX};
pub use run::{
    Corpus, Difference, SyncError, SyncProblem, SyncProgress, SyncReport, difference, sync,
};
pub(crate) use run::{SyncPreview, look, run_plan};
