//! A path inside the workspace, for state and messages.
//!
//! Never absolute, and never contains `..`.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A path relative to the workspace: UTF-8, parts joined by `/`, none of them `.` or `..`.
///
/// ```
/// let path: memory::WorkspacePath = "memory/2026-04-20.md".parse().unwrap();
/// assert_eq!(path.under("/home/ann".as_ref()), "/home/ann/memory/2026-04-20.md".parse::<std::path::PathBuf>().unwrap());
/// assert!("../2026-04-20.md".parse::<memory::WorkspacePath>().is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct WorkspacePath(String);

/// The text is not a path inside the workspace.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a path inside the workspace; write it like memory/2026-04-20.md")]
pub struct WorkspacePathError {
    text: String,
}

impl WorkspacePath {
    /// A path that is known to be valid because this crate built it.
    pub(crate) fn known(text: impl Into<String>) -> Self {
        let text = text.into();
        debug_assert!(is_inside(&text), "{text:?}");
        Self(text)
    }

    /// The path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Joins the path to a directory.
    pub fn under(&self, root: &Path) -> PathBuf {
        root.join(&self.0)
    }
}

impl FromStr for WorkspacePath {
    type Err = WorkspacePathError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if is_inside(text) {
            Ok(Self(text.to_owned()))
        } else {
            Err(WorkspacePathError {
                text: text.to_owned(),
            })
        }
    }
}

impl TryFrom<String> for WorkspacePath {
    type Error = WorkspacePathError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl fmt::Display for WorkspacePath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&self.0)
    }
}

fn is_inside(text: &str) -> bool {
    let is_plain = |character: char| character != '\\' && !character.is_control();
    text.chars().all(is_plain) && text.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workspace_path_accepts_only_paths_inside() {
        for good in ["MEMORY.md", "memory/2026-04-20.md", "a/日記 1/..b"] {
            assert_eq!(
                good.parse::<WorkspacePath>()
                    .map(|path| path.as_str().to_owned()),
                Ok(good.into())
            );
        }
        for bad in [
            "", "/", "/etc", "a/", "a//b", ".", "..", "a/../b", "./a", "a\\b", "a\0", "a\nb",
        ] {
            assert_eq!(
                bad.parse::<WorkspacePath>(),
                Err(WorkspacePathError { text: bad.into() })
            );
        }
    }
}
