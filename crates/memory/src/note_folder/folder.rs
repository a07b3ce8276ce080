//! A folder of notes that is read in place, and the names by which its notes are addressed.
//!
//! Reads nothing.

use std::path::{Path, PathBuf};

use base::Origin;
use base::layout::session_of_path;

use crate::workspace::{FILES, LOGS};

/// A folder of notes that is read in place and never written: one elsewhere, or the workspace with its folders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoteFolder {
    /// Its name, under which its notes are addressed, such as `vault` in `vault/People/Clara.md`; empty for the
    /// workspace.
    pub name: String,
    /// The folder.
    pub root: PathBuf,
    /// The origin of its notes.
    pub origin: Origin,
    /// The names or paths of files and folders to leave out, with `*` for any characters.
    pub ignore: Vec<String>,
}

impl NoteFolder {
    /// The pages of the workspace: the notes in its folders, except the logs and the files that tools write.
    pub(crate) fn pages_of(workspace: &Path) -> Self {
        Self {
            name: String::new(),
            root: workspace.to_owned(),
            origin: Origin::Owner,
            ignore: Vec::new(),
        }
    }

    /// The path of a note in it, below its name.
    pub(crate) fn path_of(&self, relative: &str) -> String {
        match self.name.as_str() {
            "" => relative.to_owned(),
            name => format!("{name}/{relative}"),
        }
    }

    /// The part of a path below the name of this folder.
    pub(crate) fn relative<'p>(&self, path: &'p str) -> Option<&'p str> {
        match self.name.as_str() {
            "" => is_page(path).then_some(path),
            name => path.strip_prefix(name)?.strip_prefix('/'),
        }
    }

    /// Whether a note at this path in the folder belongs to it: the notes next to the folders of the workspace, and
    /// those in folders of the program, do not.
    pub(crate) fn covers(&self, relative: &str) -> bool {
        !self.name.is_empty() || is_page(relative)
    }

    /// The note on disk.
    pub(crate) fn locate(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }
}

/// Whether a path in the workspace is in a folder that is not the program's; the path of a transcript is not.
fn is_page(path: &str) -> bool {
    if session_of_path(path).is_some() {
        return false;
    }
    // Some file systems ignore case.
    let is_own = |folder: &str| folder == FILES || folder.eq_ignore_ascii_case(LOGS);
    path.split_once('/')
        .is_some_and(|(folder, _)| !is_own(folder))
}

/// The first parts of other paths that search shows.
const TAKEN: [&str; 2] = [LOGS, "sessions"];

/// A text that cannot be the name of a folder of notes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FolderNameError {
    /// It is no single visible part of a path.
    #[error(
        "{0:?} cannot be the name of a folder of notes: use one without `/`, `:` or a dot at its beginning"
    )]
    Invalid(String),
    /// Paths of memory itself begin like this.
    #[error("the name {0:?} is reserved: choose another `name`")]
    Taken(String),
}

/// Checks the name of a folder of notes.
///
/// # Errors
///
/// [`FolderNameError`].
pub fn check_folder_name(name: &str) -> Result<(), FolderNameError> {
    let is_odd = |c: char| matches!(c, '/' | '\\' | ':') || c.is_control();
    if name.trim() != name || name.is_empty() || name.starts_with('.') || name.contains(is_odd) {
        return Err(FolderNameError::Invalid(name.to_owned()));
    }
    let is_file = name.to_lowercase().ends_with(".md");
    if is_file || TAKEN.contains(&name) {
        return Err(FolderNameError::Taken(name.to_owned()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workspace_pages_are_in_folders_other_than_logs_and_files() {
        let pages = NoteFolder::pages_of("/w".as_ref());
        for (path, expected) in [
            ("People/Clara.md", true),
            ("a/memory/b.md", true),
            ("garden.md", false),
            ("memory/2026-03-02.md", false),
            ("Memory/x/y.md", false),
            ("files/plan.md", false),
            ("sessions/main.jsonl", false),
            ("Files/plan.md", true),
        ] {
            assert_eq!(pages.relative(path), expected.then_some(path), "{path}");
            assert_eq!(pages.covers(path), expected, "{path}");
        }
    }

    #[test]
    fn folder_name_is_one_visible_part_of_path() {
        for name in ["vault", "My Notes", "\u{65e5}\u{8a18}", "a..b"] {
            assert_eq!(check_folder_name(name), Ok(()), "{name}");
        }
        for name in ["", ".obsidian", "a/b", "a\\b", "a:b", " a", "a\n"] {
            let expected = FolderNameError::Invalid(name.to_owned());
            assert_eq!(check_folder_name(name), Err(expected), "{name}");
        }
        for name in ["memory", "sessions", "USER.md"] {
            let expected = FolderNameError::Taken(name.to_owned());
            assert_eq!(check_folder_name(name), Err(expected), "{name}");
        }
    }
}
