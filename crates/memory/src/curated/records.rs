//! The copy of the records of `MEMORY.md` under `state/`, for a file that lost its comment in an editor.
//!
//! Never judges: what the file itself says counts.

use base::disk::{DiskError, read_some, replace};

use crate::marks::{Records, completed};
use crate::workspace::Workspace;

/// Longest copy in bytes that is read.
const COPY_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// What `MEMORY.md` says, with what the copy knows of marks of which it says nothing itself.
pub fn with_records(workspace: &Workspace, text: String) -> String {
    let path = workspace.layout().memory_records();
    // Without the copy these lines are the assistant's, which takes nothing from the owner.
    match read_some(workspace.disk(), &path, COPY_BYTES_MAX) {
        Ok(Some(copy)) => completed(text, &String::from_utf8_lossy(&copy)),
        Ok(None) | Err(_) => text,
    }
}

/// Makes the copy hold what these texts of `MEMORY.md` say, in one piece; of two, the first counts.
pub(crate) fn keep_records(workspace: &Workspace, texts: &[&str]) -> Result<(), DiskError> {
    let mut records = Records::default();
    for text in texts {
        records.extend(Records::of(text));
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
