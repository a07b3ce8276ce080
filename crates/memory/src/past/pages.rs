//! The pages of which only the present text is kept: those that have changed since are left out.

use base::disk::{DiskError, remove};
use base::{Disk, Timestamp};
use search::NoteSource;

use super::gap::PastGap;
use crate::Workspace;
use crate::owner_files::OWNER_FILES;
use crate::workspace::{ARCHIVE_FILE, LOGS, MEMORY_FILE};

/// Removes the pages that were changed after `at` from `disk`, and names them.
pub(super) fn leave_out_changed(
    present: &Workspace,
    disk: &dyn Disk,
    at: Timestamp,
) -> Result<Vec<PastGap>, DiskError> {
    let (notes, _) = present.notes();
    let mut changed = Vec::new();
    for note in notes {
        let is_newer = note.stat.modified_at.is_some_and(|changed| changed > at);
        if !is_newer || is_rebuilt(&note.path) {
            continue;
        }
        // A link that leads out of its folder is not read in the past either.
        if let Ok(path) = present.locate(&note.path) {
            let is_template = is_unfilled(present, &note.path)?;
            remove(disk, &path)?;
            if !is_template {
                changed.push(note.path);
            }
        }
    }
    Ok(if changed.is_empty() {
        Vec::new()
    } else {
        vec![PastGap::Pages(changed)]
    })
}

/// Whether the history of a page is kept.
fn is_rebuilt(path: &str) -> bool {
    let is_log = || {
        let name = path.strip_prefix(LOGS)?.strip_prefix('/')?;
        name.strip_suffix(".md")?.parse::<base::Day>().ok()
    };
    path == MEMORY_FILE || path == ARCHIVE_FILE || is_log().is_some()
}

/// Whether a page is still as in its template, so that nothing of it is missed.
fn is_unfilled(present: &Workspace, path: &str) -> Result<bool, DiskError> {
    let Some(file) = OWNER_FILES.iter().find(|own| own.name == path) else {
        return Ok(false);
    };
    let limit = file.template.len() as u64;
    let found = base::disk::read_some(present.disk(), &present.root().join(path), limit);
    match found {
        Ok(found) => Ok(found.as_deref() == Some(file.template.as_bytes())),
        // It is longer than its template.
        Err(error) if error.kind() == std::io::ErrorKind::FileTooLarge => Ok(false),
        Err(error) => Err(error),
    }
}
