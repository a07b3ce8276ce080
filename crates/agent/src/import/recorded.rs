//! Sessions and JSON Lines, as `recording` reads them.
//!
//! Reads from memory, where an older form was mended.

use std::path::Path;
use std::sync::Arc;

use base::Disk;
use base::disk::MemoryDisk;

use super::model::{ImportError, ImportedMessage, NotUnderstood};
use crate::recording::Recording;

/// What was said, in order.
pub(super) fn read(
    text: &str,
    path: &Path,
    not_understood: &mut NotUnderstood,
) -> Result<Vec<ImportedMessage>, ImportError> {
    let disk = MemoryDisk::new();
    if let Some(directory) = path.parent() {
        disk.create_dir(directory)?;
    }
    disk.append(path, text.as_bytes())?;
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
