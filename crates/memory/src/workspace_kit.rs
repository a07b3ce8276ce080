//! A workspace with these files on a disk in memory, for tests.

use std::path::Path;
use std::sync::Arc;

use base::disk::{MemoryDisk, replace};
use base::{Disk, HomeLayout};

use crate::Workspace;

/// Where the workspace lies.
pub(crate) const ROOT: &str = "/home/workspace";

/// The workspace of the home `/home` on a disk.
pub(crate) fn workspace(disk: Arc<dyn Disk>) -> Workspace {
    Workspace::new(disk, HomeLayout::new("/home"))
}

/// A workspace with these files; the names are paths below it.
pub(crate) fn workspace_with(files: &[(&str, &[u8])]) -> Workspace {
    let disk = MemoryDisk::new();
    disk.create_dir(&Path::new(ROOT).join("memory")).unwrap();
    for (name, bytes) in files {
        replace(&disk, &Path::new(ROOT).join(name), bytes).unwrap();
    }
    workspace(Arc::new(disk))
}
