//! Finds the repository that a program works in.
//!
//! Runs git, which handles worktrees and config includes; without git there is no repository.

use std::process::{Command, Stdio};

use agent::{Repository, Viewer};
use base::Disk;
use base::disk::OsDisk;

use crate::prelude::*;

/// The repository of a directory, identified by its remote `origin`, else by its path.
pub(crate) fn at(directory: &Path) -> Option<Repository> {
    if !may_lie_in_one(directory) {
        return None;
    }
    let remote = git(directory, &["config", "--get", "remote.origin.url"]);
    remote.map(|url| Repository::of_remote(&url)).or_else(|| {
        git(directory, &["rev-parse", "--show-toplevel"]).map(|root| Repository::of_path(&root))
    })
}

/// The viewer for a command's scope, a path or remote: a program in that repository, or without a scope the owner.
pub(crate) fn viewer(scope: Option<&str>) -> Viewer {
    scope.map_or(Viewer::Owner, |place| Viewer::Program(named(place)))
}

/// The scope that means no repository.
pub(crate) const NONE: &str = "none";

/// Parses a scope. A word alone is no remote, and would be taken for one if no directory has this name.
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
    at(path).or_else(|| {
        if is_directory(path) {
            None
        } else if path.is_absolute() {
            Some(Repository::of_path(place))
        } else {
            Some(Repository::of_remote(place))
        }
    })
}

/// Cheap check whether git may find a repository there: starting git costs as much as the rest of the command.
fn may_lie_in_one(directory: &Path) -> bool {
    // `.git` is a folder, or a file in a worktree; a bare repository has `HEAD` at its top.
    let marks = [".git", "HEAD"];
    let holds = |folder: &Path| marks.iter().any(|mark| folder.join(mark).exists());
    match OsDisk.resolve(directory) {
        Ok(whole) => whole.ancestors().any(holds),
        Err(_) => true,
    }
}

fn git(directory: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git")
        .arg("-C")
        .arg(directory)
        .args(arguments)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let line = text.trim();
    (output.status.success() && !line.is_empty()).then(|| line.to_owned())
}
