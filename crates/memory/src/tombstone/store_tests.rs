//! Tombstones on a disk: read back whole, after a crash too, and never guessed at.

use std::path::Path;
use std::sync::Arc;

use base::disk::{MemoryDisk, replace};
use base::{Disk, EntryId};

use super::*;
use crate::forget::test_kit;
use crate::tombstone::{TombstoneCause, TombstoneProgress};
use crate::workspace_kit::{text_at, workspace};

fn tombstone(text: &str, why: TombstoneCause) -> Tombstone {
    let entry = format!("entry of {text}");
    Tombstone {
        why,
        files: vec!["memory/2026-03-02.md".parse().unwrap()],
        progress: TombstoneProgress::Begun,
        ..test_kit::tombstone(text, &[(&entry, text.len())])
    }
}

#[test]
fn tombstones_load_back_until_lifted() {
    let workspace = workspace(Arc::new(MemoryDisk::new()));
    assert_eq!(load_tombstones(&workspace).unwrap(), Tombstones::default());
    let (one, two) = (
        tombstone("a flat in Lisbon", TombstoneCause::Forgotten),
        tombstone("likes tea", TombstoneCause::Rejected),
    );
    add_tombstone(&workspace, one.clone()).unwrap();
    add_tombstone(&workspace, two.clone()).unwrap();
    let loaded = load_tombstones(&workspace).unwrap();
    assert_eq!(loaded, Tombstones::new(vec![one.clone(), two.clone()]));

    let done = Tombstone {
        progress: TombstoneProgress::Done,
        ..one.clone()
    };
    replace_tombstone(&workspace, done.clone()).unwrap();
    lift_tombstone(&workspace, &two.id).unwrap();
    let loaded = load_tombstones(&workspace).unwrap();
    assert_eq!(loaded, Tombstones::new(vec![done]));
    // What is gone cannot be changed any more, and does not come back.
    lift_tombstone(&workspace, &two.id).unwrap();
    replace_tombstone(&workspace, two).unwrap();
    assert_eq!(load_tombstones(&workspace).unwrap(), loaded);
}

#[test]
fn rejected_text_is_barred_and_forgotten_text_hidden() {
    let set = Tombstones::new(vec![
        tombstone("a flat in Lisbon", TombstoneCause::Forgotten),
        tombstone("likes tea", TombstoneCause::Rejected),
    ]);
    let told = |text: &str| (set.hides_text(text), set.rejects(text));
    assert_eq!(told("- A flat in Lisbon"), (true, false));
    assert_eq!(told("likes tea"), (false, true));
    assert_eq!(told("a flat in Porto"), (false, false));
    let entry = |text: &str| EntryId::new(format!("entry of {text}"));
    assert!(set.hides_entry(&entry("a flat in Lisbon")));
    assert!(!set.hides_entry(&entry("likes tea")));
    assert!(set.hides_line("sessions/main.jsonl", 16, ""));
    assert!(!set.hides_line("sessions/main.jsonl", 9, ""));
    let evidence = [entry("a flat in Lisbon"), entry("likes tea")];
    assert!(set.hides_note("moved", &evidence[..1]));
    assert!(!set.hides_note("moved", &evidence));
    assert!(!set.hides_note("moved", &[]));
}

#[test]
fn damaged_or_newer_tombstones_are_rejected_with_line() {
    let disk = Arc::new(MemoryDisk::new());
    let workspace = workspace(Arc::clone(&disk) as Arc<dyn Disk>);
    add_tombstone(&workspace, tombstone("a flat", TombstoneCause::Forgotten)).unwrap();
    let path = Path::new("/home/state/tombstones.jsonl");
    let good = text_at(&*disk, path);
    let header = good.lines().next().unwrap();
    let second = "is damaged at line 2: ";
    let torn = good.get(..good.len() - 30).unwrap().to_owned();
    let newer = header.replace('1', "2");
    let cases = [
        (good.replace("\"progress\"", "\"prog"), second),
        (good.replace("[\"", "[\"x"), second),
        (torn, second),
        ("what?".to_owned(), "is damaged at line 1: "),
        (newer, "has the newer version 2; nothing was written"),
    ];
    for (text, expected) in cases {
        let expected = format!("state/tombstones.jsonl {expected}");
        replace(&*disk, path, text.as_bytes()).unwrap();
        let error = load_tombstones(&workspace).unwrap_err().to_string();
        assert!(error.starts_with(&expected), "{error}");
        assert!(add_tombstone(&workspace, tombstone("more", TombstoneCause::Forgotten)).is_err());
        assert_eq!(text_at(&*disk, path), text);
    }
}

#[test]
fn imported_tombstones_are_added_once() {
    let workspace = workspace(Arc::new(MemoryDisk::new()));
    let (ours, theirs) = (
        tombstone("a flat in Lisbon", TombstoneCause::Forgotten),
        tombstone("likes tea", TombstoneCause::Rejected),
    );
    add_tombstone(&workspace, ours.clone()).unwrap();
    let others = vec![theirs.clone(), ours.clone()];
    assert_eq!(take_tombstones(&workspace, others.clone()).unwrap(), 1);
    assert_eq!(take_tombstones(&workspace, others).unwrap(), 0);
    let loaded = load_tombstones(&workspace).unwrap();
    assert_eq!(loaded, Tombstones::new(vec![ours, theirs]));
}
