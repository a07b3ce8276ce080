//! Which directories of a home are kept where, as whoever opens it says.
//!
//! Names none itself.

/// What of a home is derived, relative to its root, with `/`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HomeParts {
    /// Directories that lie on the machine that works on the home and are no part of it.
    pub local: &'static [&'static str],
    /// Of these, the ones that are worth bringing along: they can be made anew, but that takes time.
    pub derived: &'static [&'static str],
    /// Held by who serves a home that is a folder.
    pub lock: &'static str,
}

impl HomeParts {
    /// Whether a path below the root lies on the machine only.
    pub(crate) fn is_local(&self, below: &str) -> bool {
        self.local.iter().any(|directory| is_in(below, directory))
    }
}

/// Whether a path stays below the directory to which it is relative, whatever a bucket says.
pub(crate) fn is_inside(path: &str) -> bool {
    let is_name = |part: &str| !matches!(part, "" | "." | "..") && !part.contains('\0');
    path.split('/').all(is_name)
}

/// Whether a path is a directory or lies in it.
pub(crate) fn is_in(path: &str, directory: &str) -> bool {
    let rest = path.strip_prefix(directory);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
