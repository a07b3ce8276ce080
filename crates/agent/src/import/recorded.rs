//! Sessions and JSON Lines, as `recording` reads them.
//!
//! Reads from memory, where an older form was mended, and takes the text over instead of copying it.

use std::path::Path;
use std::sync::Arc;

use base::disk::MemoryDisk;

use super::model::{ImportError, ImportedMessage, NotUnderstood};
use crate::recording::Recording;

/// What was said, in order.
pub(super) fn read(
    text: String,
    path: &Path,
    not_understood: &mut NotUnderstood,
) -> Result<Vec<ImportedMessage>, ImportError> {
    let file = (path.to_owned(), text.into_bytes());
    let disk = MemoryDisk::from_snapshot([file].into());
    let recording = Recording::open(Arc::new(disk), path)?;
    // What an import tells of the times it tells of every form.
    for warning in recording.warnings_of_form() {
        not_understood.add(warning.as_str());
    }
    for _ in 0..recording.n_elsewhere() {
        not_understood.add("a message on another branch");
    }
    let mut messages = Vec::new();
    for recorded in recording.messages()? {
        let recorded = recorded?;
        messages.push(ImportedMessage {
            at: recorded.at,
            origin: recorded.origin,
            message: recorded.message,
        });
    }
    Ok(messages)
}
