//! The operations of tools on files, on a real disk with links, and on a disk in memory.
//!
//! Compares whole folders, because files that must not change matter as much as those that must.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::disk::{MemoryDisk, OsDisk, replace};
use base::{Disk, HomeLayout};
use tempfile::TempDir;

use super::super::{FileKind, ListedFile, list_files, read_file};
use super::*;
use crate::workspace_kit::text_at;

struct Home {
    disk: Arc<dyn Disk>,
    root: PathBuf,
    workspace: Workspace,
    _folder: Option<TempDir>,
}

fn home_on(disk: Arc<dyn Disk>, root: PathBuf, folder: Option<TempDir>) -> Home {
    let workspace = Workspace::new(Arc::clone(&disk), HomeLayout::new(&root));
    workspace.init().unwrap();
    Home {
        disk,
        root,
        workspace,
        _folder: folder,
    }
}

fn in_memory() -> Home {
    home_on(Arc::new(MemoryDisk::new()), "/home".into(), None)
}

fn on_disk() -> Home {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("home");
    home_on(Arc::new(OsDisk), root, Some(folder))
}

impl Home {
    fn put(&self, path: &str, bytes: &[u8]) {
        let path = self.root.join(path);
        self.disk.create_dir(path.parent().unwrap()).unwrap();
        replace(&*self.disk, &path, bytes).unwrap();
    }

    fn at(&self, path: &str) -> String {
        text_at(&*self.disk, self.root.join(path))
    }

    fn names(&self, path: &str) -> Vec<String> {
        let names = self.disk.list(&self.root.join(path)).unwrap();
        names.iter().map(|it| it.display().to_string()).collect()
    }

    fn write(&self, path: &str, text: &str, writing: WriteMode) -> String {
        told(write_file(
            &self.workspace,
            &path.parse().unwrap(),
            (text, writing),
            now(),
        ))
    }

    fn edit(&self, path: &str, old: &str, new: &str) -> String {
        let edited = edit_file(&self.workspace, &path.parse().unwrap(), (old, new), now());
        told(edited.map(|line| assert!(line > 0)))
    }

    fn read(&self, path: &str) -> Result<String, String> {
        read_file(&self.workspace, &path.parse().unwrap()).map_err(|error| error.to_string())
    }
}

fn told(result: Result<(), FileAccessError>) -> String {
    result.map_or_else(|error| error.to_string(), |()| "done".to_owned())
}

fn now() -> Timestamp {
    "2026-03-02T08:00:00Z".parse().unwrap()
}

#[test]
fn write_file_reads_back_and_keeps_replaced_content() {
    let home = in_memory();
    assert_eq!(
        home.write("files/plan.md", "one\ntwo\n", WriteMode::New),
        "done"
    );
    assert_eq!(home.read("files/plan.md"), Ok("one\ntwo\n".to_owned()));
    assert_eq!(
        home.write("files/plan.md", "again", WriteMode::New),
        "files/plan.md already exists; edit it, or set `replace`"
    );
    assert_eq!(home.edit("files/plan.md", "two", "zwei"), "done");
    assert_eq!(home.at("workspace/files/plan.md"), "one\nzwei\n");
    let kept = "state/overwritten/20260302T080000.000Z-plan.md";
    assert_eq!(home.at(kept), "one\ntwo\n");
    assert_eq!(
        home.write("files/plan.md", "new", WriteMode::Replace),
        "done"
    );
    assert_eq!(home.at("workspace/files/plan.md"), "new");
    assert_eq!(home.at(kept), "one\ntwo\n");
    let kept = "state/overwritten/20260302T080000.000Z~1-plan.md";
    assert_eq!(home.at(kept), "one\nzwei\n");
    assert_eq!(home.names("workspace/files"), ["plan.md"]);
}

#[test]
fn i9_tools_cannot_write_memory_or_steering_files() {
    let home = in_memory();
    let before = home.at("workspace/MEMORY.md");
    for path in [
        "MEMORY.md",
        "memory.md",
        "DREAMS.md",
        "AGENTS.md",
        "SOUL.md",
        "USER.md",
        "HEARTBEAT.md",
        "plan.md",
        "PLAN.MD",
        "Recipes/soup.md",
        "Recipes/deep/Soup.MD .",
        "memory/2026-03-02.md",
        "memory/data.csv",
        "AGENTS.md.",
        "MEMORY.md ",
        "Memory.MD. .",
        "memory./2026-03-02.md",
        "memory /data.csv",
        "Memory/x/y.md",
        "memory",
        "files./x.md",
        "files /x.md",
    ] {
        let said = home.write(path, "x", WriteMode::Replace);
        assert!(said.contains("is read-only for tools"), "{path}: {said}");
        let said = home.edit(path, "a", "b");
        assert!(said.contains("is read-only for tools"), "{path}: {said}");
    }
    assert_eq!(home.at("workspace/MEMORY.md"), before);
    assert_eq!(home.names("workspace/memory"), Vec::<String>::new());
}

#[test]
fn settings_and_hidden_files_are_neither_shown_nor_written() {
    let home = in_memory();
    home.put("workspace/config.yaml", b"mcp: {}\n");
    home.put("workspace/.git/hooks/pre-commit", b"#!/bin/sh\n");
    for path in [
        "config.yaml",
        "CONFIG.yaml",
        "config.yaml.",
        "Config.yaml ",
        ".git/hooks/pre-commit",
        "a/.env",
        ".x",
    ] {
        let said = home.write(path, "x", WriteMode::Replace);
        assert!(said.contains("is hidden from tools"), "{path}: {said}");
        assert!(home.read(path).unwrap_err().contains("is hidden"), "{path}");
    }
    let listed = list_files(&home.workspace, None).unwrap();
    let names: Vec<&str> = listed.iter().map(|it| it.name.as_str()).collect();
    for hidden in ["config.yaml", ".git"] {
        assert!(!names.contains(&hidden), "{names:?}");
    }
    assert_eq!(home.at("workspace/config.yaml"), "mcp: {}\n");
}

#[test]
fn links_out_of_workspace_or_into_memory_are_rejected() {
    let home = on_disk();
    home.put("config.yaml", b"secret: 1\n");
    home.put("outside/note.txt", b"private");
    home.put("workspace/files/inside.txt", b"inside");
    let link = |from: &str, to: &str| {
        symlink(to, home.root.join("workspace").join(from)).unwrap();
    };
    link("files/out", "../../outside");
    link("files/note.txt", "../../outside/note.txt");
    link("files/dangling.txt", "../../outside/new.txt");
    link("files/circle", "circle");
    link("logs", "memory");
    link("steer.txt", "AGENTS.md");
    link("ok.txt", "files/inside.txt");
    for path in [
        "files/out/note.txt",
        "files/note.txt",
        "files/dangling.txt",
        "files/out/new.txt",
    ] {
        let said = home.write(path, "x", WriteMode::Replace);
        assert!(
            said.contains("points outside the workspace"),
            "{path}: {said}"
        );
        let said = home.read(path).unwrap_err();
        assert!(
            said.contains("points outside the workspace"),
            "{path}: {said}"
        );
    }
    for path in ["logs/2026-03-02.md", "steer.txt"] {
        let said = home.write(path, "x", WriteMode::Replace);
        assert!(said.contains("is read-only for tools"), "{path}: {said}");
    }
    assert_ne!(home.write("files/circle", "x", WriteMode::Replace), "done");
    assert_eq!(home.write("ok.txt", "through", WriteMode::Replace), "done");
    assert_eq!(home.at("workspace/files/inside.txt"), "through");
    assert_eq!(home.at("outside/note.txt"), "private");
    assert_eq!(home.names("outside"), ["note.txt"]);
    let listed = list_files(&home.workspace, Some(&"files".parse().unwrap())).unwrap();
    let n_bytes = "through".len() as u64;
    let inside = ListedFile {
        name: "inside.txt".to_owned(),
        kind: FileKind::File(n_bytes),
    };
    assert_eq!(listed, [inside]);
}

#[test]
fn i16_binary_and_oversized_files_are_rejected() {
    let home = in_memory();
    home.put("workspace/files/photo.jpg", &[0xff, 0xd8, 0xff]);
    home.put("workspace/files/nul.txt", b"a\0b");
    home.put("workspace/files/large.txt", &vec![b'x'; 1_048_577]);
    for (path, expected) in [
        ("files/photo.jpg", "files/photo.jpg is not text"),
        ("files/nul.txt", "files/nul.txt is not text"),
        (
            "files/large.txt",
            "files/large.txt takes 1048577 bytes; the limit is 1048576",
        ),
        (
            "files/none.txt",
            "there is no files/none.txt in the workspace",
        ),
        ("files", "files is a folder"),
    ] {
        assert_eq!(home.read(path).unwrap_err(), expected);
        assert_eq!(home.edit(path, "a", "b"), expected);
        if path != "files/none.txt" {
            assert_eq!(home.write(path, "x", WriteMode::Replace), expected);
        }
    }
    let said = home.write("files/new.txt", &"x".repeat(1_048_577), WriteMode::New);
    assert_eq!(
        said,
        "files/new.txt takes 1048577 bytes; the limit is 1048576"
    );
    for (folder, expected) in [
        ("files/nul.txt", "files/nul.txt is not a folder"),
        ("none", "there is no none in the workspace"),
    ] {
        let listed = list_files(&home.workspace, Some(&folder.parse().unwrap()));
        assert_eq!(listed.unwrap_err().to_string(), expected);
    }
}

#[test]
fn edit_rejects_missing_or_ambiguous_match() {
    let home = in_memory();
    home.put(
        "workspace/files/a.txt",
        "d\u{e9}j\u{e0} vu, vu\n".as_bytes(),
    );
    let not_once =
        |n_found| format!("the old text occurs {n_found} times in files/a.txt; it must occur once");
    assert_eq!(home.edit("files/a.txt", "vu", "lu"), not_once(2));
    assert_eq!(home.edit("files/a.txt", "tea", "lu"), not_once(0));
    assert_eq!(home.edit("files/a.txt", "", "lu"), not_once(0));
    assert_eq!(home.edit("files/a.txt", "vu,", "lu,"), "done");
    assert_eq!(home.at("workspace/files/a.txt"), "d\u{e9}j\u{e0} lu, vu\n");
}

#[test]
fn overwritten_copies_are_limited_to_newest_hundred() {
    let home = in_memory();
    for minute in 0..120 {
        let at = now() + chrono::TimeDelta::minutes(minute);
        let text = format!("version {minute}");
        let path = "files/a.txt".parse().unwrap();
        write_file(&home.workspace, &path, (&text, WriteMode::Replace), at).unwrap();
    }
    let kept = home.names("state/overwritten");
    assert_eq!(kept.len(), 100);
    let newest = Path::new("state/overwritten").join(kept.last().unwrap());
    assert_eq!(home.at(newest.to_str().unwrap()), "version 118");
}

#[test]
fn copy_made_after_clock_was_set_back_is_newest() {
    let home = in_memory();
    let path = home.root.join("workspace/PLAN.md");
    let at = |text: &str| text.parse::<Timestamp>().unwrap();
    let copies = [
        ("2026-11-30T09:00:00Z", "first"),
        ("2026-11-30T09:00:00Z", "second"),
        ("2025-01-01T00:00:00Z", "third"),
        ("2026-11-30T10:00:00Z", "fourth"),
    ];
    let names = copies.map(|(now, text)| {
        let of_other = home.root.join("workspace/OTHER-PLAN.md");
        keep(&home.workspace, (&of_other, b"other"), at(now)).unwrap();
        keep(&home.workspace, (&path, text.as_bytes()), at(now)).unwrap()
    });
    assert_eq!(
        names,
        [
            "20261130T090000.000Z-PLAN.md",
            "20261130T090000.000Z~1-PLAN.md",
            "20261130T090000.000Z~2-PLAN.md",
            "20261130T100000.000Z-PLAN.md",
        ]
    );
    let newest_first = copies_of(&home.workspace, "PLAN.md").unwrap();
    let texts = newest_first.into_iter();
    let texts = texts.map(|(_, it)| String::from_utf8(it.unwrap()).unwrap());
    let texts: Vec<String> = texts.collect();
    assert_eq!(texts, ["fourth", "third", "second", "first"]);
}
