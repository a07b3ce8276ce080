//! The repository of a directory, a remote or a transcript.
//!
//! A place that cannot be examined is private to its path: its text is never shown elsewhere.

use agent::{Repositories, Repository, Viewer};
use base::Disk;
use base::disk::OsDisk;
use import::{ConversationSource, ImportFormat};

use super::git::{self, Found, GitRepository};
use crate::prelude::*;

/// The repository of a directory, identified by its remote `origin`, else by its path; `None` outside any.
pub(crate) fn at(directory: &Path) -> Option<Repository> {
    located(directory, None).repository
}

/// Finds the repositories of directories on this machine.
#[derive(Debug)]
pub(crate) struct OnThisMachine;

impl Repositories for OnThisMachine {
    fn at(&self, directory: &Path) -> Option<Repository> {
        at(directory)
    }
}

/// The repository that something comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Located {
    pub(crate) repository: Option<Repository>,
    /// Why the repository had to be replaced by the path alone.
    pub(crate) doubt: Option<String>,
}

/// The repository of a directory; `remote` is that of a directory that is gone, if known.
fn located(directory: &Path, remote: Option<&str>) -> Located {
    let shown = directory.display();
    let of_path = || Some(Repository::of_path(&shown.to_string()));
    let known = |repository| Located {
        repository,
        doubt: None,
    };
    match git::find(directory) {
        Found::Nothing => known(None),
        Found::Repository(GitRepository { remote, root }) => known(Some(match remote {
            Some(url) => Repository::of_remote(&url),
            None => Repository::of_path(&root.display().to_string()),
        })),
        Found::Damaged(root, reason) => Located {
            repository: Some(Repository::of_path(&root.display().to_string())),
            doubt: Some(reason),
        },
        Found::Gone => match remote {
            Some(url) => known(Some(Repository::of_remote(url))),
            None => Located {
                repository: of_path(),
                doubt: Some(format!("{shown} does not exist")),
            },
        },
        Found::Unreadable(reason) => Located {
            repository: of_path(),
            doubt: Some(reason),
        },
    }
}

/// A file of every workspace of OpenClaw, and of no repository of a project.
const WORKSPACE_SIGN: &str = "SOUL.md";

/// The repository that a conversation comes from, in its own words; `otherwise` is its directory if it names none.
pub(crate) fn of_conversation(
    (format, source): (ImportFormat, &ConversationSource),
    otherwise: Option<&Path>,
) -> Located {
    let own = source.scope.as_deref().and_then(Repository::of_session);
    let Some(directory) = source.directory.as_deref().or(otherwise) else {
        return Located {
            repository: own,
            doubt: None,
        };
    };
    let found = located(directory, source.remote.as_deref());
    // An assistant's workspace is the owner's even if it is kept in Git, and is often on another machine.
    let is_workspace = directory.join(WORKSPACE_SIGN).exists() || found.doubt.is_some();
    if own.is_some() || format == ImportFormat::OpenClaw && is_workspace {
        return Located {
            repository: own,
            doubt: None,
        };
    }
    found
}

/// The viewer for a command's scope, a path or remote: a program in that repository, or without a scope the owner.
pub(crate) fn viewer(scope: Option<&str>) -> Viewer {
    scope.map_or(Viewer::Owner, |place| Viewer::Program(named(place)))
}

/// The scope that means no repository.
pub(crate) const NONE: &str = "none";

/// Parses a scope. A word alone is not a remote, and would be taken for one if no directory has this name.
pub(crate) fn scope(text: &str) -> Result<String, &'static str> {
    if text == NONE || text.contains(['/', ':']) || is_directory(Path::new(text)) {
        Ok(text.to_owned())
    } else {
        Err("expected a directory, a remote such as example.org/acme/tools, or `none`")
    }
}

/// Parses the scope of a new note. A path that leads to no directory would hide the note from every program, while
/// a search may name a directory that is gone by now.
pub(crate) fn scope_of_note(text: &str) -> Result<String, &'static str> {
    let is_path = ["/", "./", "../", "~"]
        .iter()
        .any(|start| text.starts_with(start));
    if is_path && !is_directory(Path::new(text)) {
        return Err("there is no such directory");
    }
    scope(text)
}

fn is_directory(path: &Path) -> bool {
    matches!(OsDisk.stat(path), Ok(Some(stat)) if stat.is_dir)
}

/// The repository at a path or of a remote; `None` for `none` and for a directory outside any repository.
pub(crate) fn named(place: &str) -> Option<Repository> {
    if place == NONE {
        return None;
    }
    let path = Path::new(place);
    if path.is_absolute() || is_directory(path) {
        at(path)
    } else {
        Some(Repository::of_remote(place))
    }
}
