//! Defines which directories of a home stay on the machine, and which signs make a folder a home. The caller supplies
//! their names.

use std::path::{Path, PathBuf};

use crate::Disk;
use crate::disk::{DiskError, target_of_temporary};

/// Special paths of a home, relative to its root, with `/`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HomeParts {
    /// Directories that exist only on the machine that has opened the home, and are not part of the stored home.
    pub local: &'static [&'static str],
    /// Local directories that are published for the next holder, because rebuilding them takes long.
    pub derived: &'static [&'static str],
    /// The lock file that serves as the lease of a folder.
    pub lock: &'static str,
    /// Names directly below the root. A folder that contains one of them is a home.
    pub signs: &'static [&'static str],
}

/// What a folder is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FolderKind {
    Home,
    /// A home can be created here: the folder does not exist, or contains only parts that stay on the machine.
    Free,
    /// The folder contains something else.
    Foreign,
}

impl HomeParts {
    /// The kind of the folder.
    pub fn kind_of(&self, disk: &dyn Disk, folder: &Path) -> Result<FolderKind, DiskError> {
        match disk.stat(folder)? {
            Some(stat) if !stat.is_dir => return Ok(FolderKind::Foreign),
            Some(_) => {}
            None => return Ok(FolderKind::Free),
        }
        let names = disk.list(folder)?;
        let holds_local = |name: &Path| self.local.iter().any(|it| Path::new(it).starts_with(name));
        Ok(if names.iter().any(|name| self.is_sign(name)) {
            FolderKind::Home
        } else if names.iter().all(|name| holds_local(name)) {
            FolderKind::Free
        } else {
            FolderKind::Foreign
        })
    }

    fn is_sign(&self, name: &Path) -> bool {
        self.signs.iter().any(|sign| name == Path::new(sign))
    }

    /// Whether a path below the root is in a local directory, or is a temporary file for a local file.
    pub fn is_local(&self, below: &str) -> bool {
        let is_in_local = |path: &str| self.local.iter().any(|local| is_in(path, local));
        let target = target_of_temporary_at(below);
        is_in_local(below) || target.is_some_and(|target| is_in_local(&target))
    }
}

/// The path that a temporary file at `below` is renamed to; `None` if it is not a temporary file.
fn target_of_temporary_at(below: &str) -> Option<String> {
    let path = Path::new(below);
    let name = target_of_temporary(Path::new(path.file_name()?))?;
    Some(path.with_file_name(name).to_str()?.to_owned())
}

/// Whether `path` is `directory` or below it.
pub fn is_in(path: &str, directory: &str) -> bool {
    let rest = path.strip_prefix(directory);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The file that makes a directory a vault (a place for encrypted homes). An empty mount point does not have it.
pub const VAULT_MARKER: &str = "openclaw-vault.json";

/// The vault that contains a path, or that the path itself is, in any format. Follows links.
pub fn vault_around(disk: &dyn Disk, path: &Path) -> Result<Option<PathBuf>, DiskError> {
    let resolved = disk.resolve(path)?;
    for directory in resolved.ancestors() {
        if disk.stat(&directory.join(VAULT_MARKER))?.is_some() {
            return Ok(Some(directory.to_owned()));
        }
    }
    Ok(None)
}
