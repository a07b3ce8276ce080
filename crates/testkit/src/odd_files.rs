//! Things that are not regular files (circular links, pipes, sockets) where files are expected, and the regular files
//! of a home.
//!
//! Asserts nothing.

use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;

use base::disk::{Disk, OsDisk, read_all};

use crate::{TestHome, conversation, to_jsonl};

/// A home with a session, a note and an odd file of each kind. Also returns the paths of the odd files.
pub fn home_with_odd_files() -> (TestHome, Vec<String>) {
    let home = TestHome::init();
    home.replay("talk", to_jsonl(&conversation(1, 8)));
    home.note("piano", "- The piano is tuned in May\n");
    let mut odd = Vec::new();
    for (directory, ending) in [
        ("", ""),
        ("workspace/memory/", ".md"),
        ("sessions/", ".jsonl"),
    ] {
        let mut place = |name: &str| {
            let below = format!("{directory}{name}{ending}");
            let path = home.path().join(&below);
            odd.push(below);
            path
        };
        let circle = place("circle");
        symlink(circle.file_name().unwrap(), &circle).unwrap();
        symlink("nowhere", place("dangling")).unwrap();
        let pipe = Command::new("mkfifo").arg(place("pipe")).status();
        assert!(pipe.unwrap().success());
        drop(UnixListener::bind(place("socket")).unwrap());
    }
    symlink("..", home.path().join("workspace/memory/up")).unwrap();
    odd.push("workspace/memory/up".to_owned());
    odd.sort();
    (home, odd)
}

/// The files below a directory of a home, except derived ones.
pub fn files_below(root: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    let mut waiting = vec![PathBuf::new()];
    while let Some(below) = waiting.pop() {
        for name in OsDisk.list(&root.join(&below)).unwrap() {
            let below = below.join(name);
            let path = root.join(&below);
            let is_derived = ["index", "state/locks"]
                .iter()
                .any(|it| below == Path::new(it));
            match OsDisk.stat(&path).unwrap() {
                _ if is_derived => {}
                Some(stat) if stat.is_dir => waiting.push(below),
                _ => {
                    let bytes = read_all(&OsDisk, &path, 1 << 20).unwrap();
                    files.push((below.display().to_string(), bytes));
                }
            }
        }
    }
    files.sort();
    files
}
