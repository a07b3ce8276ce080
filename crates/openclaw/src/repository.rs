//! Finds the repository in which a program works.
//!
//! Asks git, which knows its worktrees and includes; where there is none, there is no repository.

use std::process::{Command, Stdio};

use agent::{Repository, Viewer};
use base::Disk;
use base::disk::OsDisk;

use crate::prelude::*;

/// The repository of a directory: its remote `origin`, else where it lies.
pub(crate) fn at(directory: &Path) -> Option<Repository> {
    if !may_lie_in_one(directory) {
        return None;
    }
    let remote = git(directory, &["config", "--get", "remote.origin.url"]);
    remote.map(|url| Repository::of_remote(&url)).or_else(|| {
        git(directory, &["rev-parse", "--show-toplevel"]).map(|root| Repository::of_path(&root))
    })
}

/// Whose eyes a command takes: the owner's, or those of a program in the repository at this path or of this remote.
pub(crate) fn viewer(scope: Option<&str>) -> Viewer {
    scope.map_or(Viewer::Owner, |place| Viewer::Program(named(place)))
}

/// What names no repository.
pub(crate) const NONE: &str = "none";

/// The repository at a path or of a remote; `None` for `none`, and for a directory that lies in no repository.
pub(crate) fn named(place: &str) -> Option<Repository> {
    if place == NONE {
        return None;
    }
    let path = Path::new(place);
    at(path).or_else(|| {
        if matches!(OsDisk.stat(path), Ok(Some(stat)) if stat.is_dir) {
            None
        } else if path.is_absolute() {
            Some(Repository::of_path(place))
        } else {
            Some(Repository::of_remote(place))
        }
    })
}

/// Whether git may find a repository there; to start it takes as long as all else.
fn may_lie_in_one(directory: &Path) -> bool {
    // A repository is a folder `.git`, or a file that names one; a bare one has this file itself.
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
