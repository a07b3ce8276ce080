//! Takes away what was kept so that a change could be taken back, where it is to be gone for good.
//!
//! Never touches a line of the owner.

use std::path::Path;

use base::Timestamp;
use base::disk::{DiskError, read_all, remove};

use super::model::{ForgetError, ForgetReport};
use super::notes::passages;
use crate::candidates::{is_kept_dreams, redact_candidates};
use crate::curated::{Before, preimages};
use crate::sync::NOTE_BYTES_MAX;
use crate::tombstone::Gone;
use crate::workspace::MEMORY_FILE;
use crate::{Workspace, WorkspacePath};

/// Takes away what was forgotten under a report wherever the program keeps it: candidates, notes as they
/// were before lines were forgotten, what `MEMORY.md` held before a change, files as they were before a
/// tool wrote over them, and what was found broken.
///
/// # Errors
///
/// [`ForgetError`]; another call drops the rest.
pub fn drop_kept(
    workspace: &Workspace,
    gone: &Gone,
    report: Option<&ForgetReport>,
    now: Timestamp,
) -> Result<(), ForgetError> {
    redact_candidates(workspace, gone, now)?;
    let any = |_: &Path| true;
    let says_it = |bytes: &[u8]| says(bytes, gone);
    let is_of_report = |name: &Path| report.is_some_and(|report| is_kept_of(name, report));
    drop_files(workspace, &workspace.forgotten(), is_of_report, |_| true)?;
    for directory in [
        &workspace.forgotten(),
        &workspace.overwritten(),
        workspace.quarantine(),
    ] {
        drop_files(workspace, directory, any, says_it)?;
    }
    drop_files(workspace, workspace.root(), is_kept_dreams, says_it)?;
    redact_preimages(workspace, gone, report)
}

/// Whether a file holds what lines of a report were forgotten from.
fn is_kept_of(name: &Path, report: &ForgetReport) -> bool {
    let name = name.to_str().unwrap_or_default();
    let end = name.strip_prefix(report.id.as_str());
    end.is_some_and(|end| end.starts_with('.'))
}

fn is_memory(path: &WorkspacePath) -> bool {
    path.as_str() == MEMORY_FILE
}

fn says(bytes: &[u8], gone: &Gone) -> bool {
    let mut found = passages(bytes).into_iter();
    gone.holds_words(bytes) || found.any(|passage| gone.texts.contains(&passage.hash))
}

fn drop_files(
    workspace: &Workspace,
    directory: &Path,
    is_looked_at: impl Fn(&Path) -> bool,
    goes: impl Fn(&[u8]) -> bool,
) -> Result<(), DiskError> {
    let disk = workspace.disk();
    let names = disk.list(directory)?.into_iter();
    for name in names.filter(|name| is_looked_at(name)) {
        let path = directory.join(name);
        if disk.stat(&path)?.is_some_and(|stat| !stat.is_dir) {
            let bytes = read_all(disk, &path, NOTE_BYTES_MAX)?;
            if goes(&bytes) {
                remove(disk, &path)?;
            }
        }
    }
    Ok(())
}

/// Of a change before which `MEMORY.md` said it, nothing is kept but that it was. So it is with the newest
/// change where lines were taken from the file: whoever wants it back is told why that cannot be.
fn redact_preimages(
    workspace: &Workspace,
    gone: &Gone,
    report: Option<&ForgetReport>,
) -> Result<(), ForgetError> {
    let is_taken_from = report.is_some_and(|report| report.files.iter().any(is_memory));
    let kept = preimages(workspace);
    let ids = kept.ids()?;
    for id in &ids {
        let Some(preimage) = kept.read(*id)? else {
            continue;
        };
        let said_it = match &preimage.before {
            Before::Bytes(bytes) => says(bytes, gone),
            Before::Nothing => false,
            Before::Redacted => continue,
        };
        if said_it || (is_taken_from && ids.last() == Some(id)) {
            kept.redact(preimage)?;
        }
    }
    Ok(())
}
