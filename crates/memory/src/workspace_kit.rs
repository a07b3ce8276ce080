//! A workspace with these files on a disk in memory, for tests.

use std::path::Path;
use std::sync::Arc;

use base::Disk;
use base::disk::{MemoryDisk, replace};

use crate::Workspace;

/// Where the workspace lies.
pub(crate) const ROOT: &str = "/home/workspace";

/// A workspace with these files; the names are paths below it.
pub(crate) fn workspace_with(files: &[(&str, &[u8])]) -> Workspace {
    let disk = MemoryDisk::new();
    disk.create_dir(&Path::new(ROOT).join("memory")).unwrap();
    for (name, bytes) in files {
        replace(&disk, &Path::new(ROOT).join(name), bytes).unwrap();
    }
    let state = Path::new("/home/state");
    Workspace::new(
        Arc::new(disk),
        ROOT.into(),
        state.join("locks"),
        state.join("quarantine"),
    )
}
