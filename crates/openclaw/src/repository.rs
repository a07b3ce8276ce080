//! Finds the repository in which a program works.
//!
//! Asks git, which knows its worktrees and includes; where there is none, there is no repository.

use std::process::{Command, Stdio};

use agent::{Repository, Viewer};
use base::Disk;

use crate::prelude::*;

/// The repository of a directory: its remote `origin`, else where it lies.
pub(crate) fn at(directory: &Path) -> Option<Repository> {
    let remote = git(directory, &["config", "--get", "remote.origin.url"]);
    remote.map(|url| Repository::of_remote(&url)).or_else(|| {
        git(directory, &["rev-parse", "--show-toplevel"]).map(|root| Repository::of_path(&root))
    })
}

/// Whose eyes a command takes: the owner's, or those of a program in the repository at this path or of this remote.
pub(crate) fn viewer(scope: Option<&str>) -> Viewer {
    match scope {
        None => Viewer::Owner,
        Some(_) => Viewer::Program(named(scope)),
    }
}

/// The repository at this path or of this remote; `None` for `none`.
pub(crate) fn named(scope: Option<&str>) -> Option<Repository> {
    let place = scope.filter(|scope| *scope != "none")?;
    at(Path::new(place)).or_else(|| Some(Repository::of_remote(place)))
}

/// The repository at a path or of a remote; `None` where a directory is in none.
pub(crate) fn of_place(place: &str, disk: &dyn Disk) -> Option<Repository> {
    let path = Path::new(place);
    let is_there = matches!(disk.stat(path), Ok(Some(stat)) if stat.is_dir);
    match at(path) {
        None if is_there => None,
        None if path.is_absolute() => Some(Repository::of_path(place)),
        None => Some(Repository::of_remote(place)),
        found => found,
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
