//! Finds the repository in which a program works.
//!
//! Asks git, which knows its worktrees and includes; where there is none, there is no repository.

use std::process::{Command, Stdio};

use agent::Repository;

use crate::prelude::*;

/// The repository of a directory: its remote `origin`, else where it lies.
pub(crate) fn at(directory: &Path) -> Option<Repository> {
    let remote = git(directory, &["config", "--get", "remote.origin.url"]);
    remote.map(|url| Repository::of_remote(&url)).or_else(|| {
        git(directory, &["rev-parse", "--show-toplevel"]).map(|root| Repository::of_path(&root))
    })
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
