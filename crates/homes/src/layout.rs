//! Which directories of a home stay on the machine; the caller names them.

/// Special paths of a home, relative to its root, with `/`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HomeParts {
    /// Directories that exist only on the machine that has the home open, and are not part of the stored home.
    pub local: &'static [&'static str],
    /// Local directories that are published for the next holder, because rebuilding them takes time.
    pub derived: &'static [&'static str],
    /// Lock file that serves as the lease of a folder.
    pub lock: &'static str,
}

impl HomeParts {
    /// Whether a path below the root is in a local directory.
    pub(crate) fn is_local(&self, below: &str) -> bool {
        self.local.iter().any(|directory| is_in(below, directory))
    }
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
