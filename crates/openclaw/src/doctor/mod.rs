//! Finds problems in a home, and repairs those that need no decision from the owner.
//!
//! Checks never change anything.

mod checks;
mod finding;

mod backups;
mod client_requests;
mod connections;
mod home_files;
mod memory_files;
mod misplaced;
mod note_folders;
mod orphans;
mod promises;
mod settings;
mod tool_pages;
mod transcripts;
mod writing;

pub(crate) use checks::examine;
pub(crate) use connections::ConnectedPrograms;
pub(crate) use finding::{DoctorFinding, FindingWeight, mend, sync_index};
pub(crate) use promises::NotifyRecord;
pub(crate) use transcripts::next_of_transcript;
