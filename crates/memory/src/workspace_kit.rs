//! A workspace with these files on a disk in memory, for tests.

use std::path::Path;
use std::sync::Arc;

use base::disk::{MemoryDisk, OsDisk, read_all, replace};
use base::{Disk, HomeLayout};
use search::{Corpus, Index, SyncReport, sync};
use tempfile::TempDir;

use crate::Workspace;

/// Where the workspace is.
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

/// The text of a file, which must exist.
pub(crate) fn text_at(disk: &dyn Disk, path: impl AsRef<Path>) -> String {
    let bytes = read_all(disk, path.as_ref(), 1 << 24).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// The text of a file, if it exists.
pub(crate) fn text_if_there(disk: &dyn Disk, path: impl AsRef<Path>) -> Option<String> {
    disk.stat(path.as_ref()).unwrap()?;
    Some(text_at(disk, path))
}

/// A workspace and its index in a temporary folder.
pub(crate) struct IndexedWorkspace {
    pub(crate) directory: TempDir,
    pub(crate) workspace: Workspace,
    pub(crate) index: Index,
}

impl IndexedWorkspace {
    pub(crate) fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        OsDisk.create_dir(&at("workspace/memory")).unwrap();
        let index = Index::open(Arc::new(OsDisk), &at("index")).unwrap();
        Self {
            workspace: Workspace::new(Arc::new(OsDisk), HomeLayout::new(directory.path())),
            directory,
            index,
        }
    }

    /// Brings an index of the workspace up to date.
    pub(crate) fn sync(&self, index: &Index) -> SyncReport {
        let corpus = Corpus {
            notes: &self.workspace,
            sessions: None,
        };
        let now = "2100-01-01T00:00:00Z".parse().unwrap();
        sync(index, &corpus, now, &mut |_| ()).unwrap()
    }
}
