//! Which directories of a home stay on the machine, and what makes a folder a home; the caller names them.

use std::path::Path;

use base::Disk;
use base::disk::{DiskError, target_of_temporary};

/// Special paths of a home, relative to its root, with `/`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HomeParts {
    /// Directories that exist only on the machine that has the home open, and are not part of the stored home.
    pub local: &'static [&'static str],
    /// Local directories that are published for the next holder, because rebuilding them takes time.
    pub derived: &'static [&'static str],
    /// Lock file that serves as the lease of a folder.
    pub lock: &'static str,
    /// Names directly below the root; a folder that has one of them is a home.
    pub signs: &'static [&'static str],
}

/// What a folder is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FolderKind {
    /// A home.
    Home,
    /// A home can begin here: it does not exist, or holds nothing but parts that stay on the machine.
    Free,
    /// It holds something else.
    Foreign,
}

impl HomeParts {
    /// What the folder is.
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

    /// Whether a path below the root is in a local directory, or is renamed over a local file.
    pub(crate) fn is_local(&self, below: &str) -> bool {
        let is_in_local = |path: &str| self.local.iter().any(|local| is_in(path, local));
        let target = target_of_temporary_at(below);
        is_in_local(below) || target.is_some_and(|target| is_in_local(&target))
    }
}

/// The path that a temporary file at `below` is renamed over; `None` if it is none.
fn target_of_temporary_at(below: &str) -> Option<String> {
    let path = Path::new(below);
    let name = target_of_temporary(Path::new(path.file_name()?))?;
    Some(path.with_file_name(name).to_str()?.to_owned())
}

/// Whether a relative path stays below its base; paths from a bucket are not trusted.
pub(crate) fn is_inside(path: &str) -> bool {
    let is_name = |part: &str| !matches!(part, "" | "." | "..") && !part.contains('\0');
    path.split('/').all(is_name)
}

/// Whether `path` is `directory` or below it.
pub(crate) fn is_in(path: &str, directory: &str) -> bool {
    let rest = path.strip_prefix(directory);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
