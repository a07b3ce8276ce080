//! Changes how notes and their records refer to a session, after its transcript has moved.
//!
//! Replaces ids and paths, which occur nowhere else; the words of a note stay as they are.

use std::path::{Path, PathBuf};

use base::Disk;
use base::disk::DiskError;

use crate::FileError;
use crate::notes::note_paths;
use crate::workspace::{DREAMS_FILE, Workspace};
use crate::workspace_file::WorkspaceFile;

/// Maximum bytes of a file that is searched for references.
const FILE_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// Replaces references, each given as the old and the new one, in the notes and in the records about them.
///
/// Durability: each file changes atomically. Repeating the call after a crash changes what is left.
///
/// # Errors
///
/// [`FileError`]; some files may have been changed.
pub fn replace_references(
    workspace: &Workspace,
    references: &[(String, String)],
) -> Result<(), FileError> {
    // The order of all writers.
    let _dream = workspace.lock_dream()?;
    let _notes = workspace.hold_still()?;
    let _ledger = workspace.lock_ledger()?;
    let disk = workspace.disk();
    let notes = note_paths(workspace).into_iter();
    let mut files: Vec<PathBuf> = notes
        .map(|path| workspace.root().join(path.as_str()))
        .collect();
    files.push(workspace.root().join(DREAMS_FILE));
    files.extend(records(disk, &workspace.layout().state())?);
    files.extend(records(disk, &workspace.layout().dreams())?);
    for file in files {
        replace_in(workspace, file, references)?;
    }
    Ok(())
}

/// The files of a directory below `state/`.
fn records(disk: &dyn Disk, directory: &Path) -> Result<Vec<PathBuf>, DiskError> {
    let mut files = Vec::new();
    for name in disk.list(directory)? {
        let path = directory.join(name);
        if disk.stat(&path)?.is_some_and(|stat| !stat.is_dir) {
            files.push(path);
        }
    }
    Ok(files)
}

fn replace_in(
    workspace: &Workspace,
    path: PathBuf,
    references: &[(String, String)],
) -> Result<(), FileError> {
    let file = WorkspaceFile::new(workspace, path, FILE_BYTES_MAX);
    file.edit(|bytes| {
        let text = bytes.and_then(|bytes| std::str::from_utf8(bytes).ok());
        let changed = text.map(|text| replaced(text, references));
        let changed = changed.filter(|changed| Some(changed.as_str()) != text);
        Ok(changed.map(String::into_bytes))
    })
}

fn replaced(text: &str, references: &[(String, String)]) -> String {
    let mut text = text.to_owned();
    for (old, new) in references {
        // An earlier call may have replaced some; the new reference can contain the old one.
        if text.contains(old.as_str()) {
            text = text.replace(new, old).replace(old, new);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_replaced_once_even_if_new_contains_old() {
        let references = [
            ("u1".to_owned(), "repo-u1".to_owned()),
            ("sessions/a.jsonl".to_owned(), "sessions/b.jsonl".to_owned()),
        ];
        let once = replaced("s=u1 e:sessions/a.jsonl#x", &references);
        assert_eq!(once, "s=repo-u1 e:sessions/b.jsonl#x");
        assert_eq!(replaced(&once, &references), once);
        assert_eq!(replaced("u1 repo-u1", &references), "repo-u1 repo-u1");
    }
}
