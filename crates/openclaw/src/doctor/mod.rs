//! Finds problems in a home, and repairs those that need no decision from the owner.
//!
//! Checks never change anything.

mod finding;

mod backups;
mod client_requests;
mod connections;
mod home_files;
mod memory_files;
mod misplaced;
mod settings;
mod transcripts;
mod writing;

pub(crate) use finding::{DoctorFinding, FindingWeight, mend, sync_index};

pub(crate) use backups::look_at_backups;
pub(crate) use client_requests::look_for_client_requests;
pub(crate) use connections::{ConnectedPrograms, look_at_connections};
pub(crate) use home_files::look_at_home;
pub(crate) use memory_files::look_at_memory;
pub(crate) use misplaced::look_at_scopes;
pub(crate) use settings::look_at_settings;
pub(crate) use transcripts::{look_at_transcripts, next_of_transcript};
pub(crate) use writing::{look_at_entry, look_at_writing};
