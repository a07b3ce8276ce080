//! A copy of the records of `MEMORY.md` under `state/`, in case an editor drops the comment that holds them.
//!
//! The file takes precedence over the copy.

use base::disk::{DiskError, read_some, replace};

use crate::marks::{MarkRecords, completed};
use crate::workspace::Workspace;

/// Size limit of the copy in bytes.
const COPY_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// Adds to the text of `MEMORY.md` the records of marks that only the copy has.
pub fn with_records(workspace: &Workspace, text: String) -> String {
    let path = workspace.layout().memory_records();
    // Without the copy these lines count as the assistant's, so no line of the owner is at risk.
    match read_some(workspace.disk(), &path, COPY_BYTES_MAX) {
        Ok(Some(copy)) => completed(text, &String::from_utf8_lossy(&copy)),
        Ok(None) | Err(_) => text,
    }
}

/// Writes the records of these texts of `MEMORY.md` to the copy, atomically; earlier texts take precedence.
pub(crate) fn keep_records(workspace: &Workspace, texts: &[&str]) -> Result<(), DiskError> {
    let mut records = MarkRecords::default();
    for text in texts {
        records.extend(MarkRecords::of(text));
    }
    let path = workspace.layout().memory_records();
    let comment = records.to_comment().map(|comment| format!("{comment}\n"));
    let wanted = comment.unwrap_or_default().into_bytes();
    let found = read_some(workspace.disk(), &path, COPY_BYTES_MAX).unwrap_or(None);
    if found.unwrap_or_default() == wanted {
        return Ok(());
    }
    workspace.make_dir(&workspace.layout().state())?;
    replace(workspace.disk(), &path, &wanted)
}
