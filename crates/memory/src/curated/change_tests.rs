//! Changes of `MEMORY.md`: kept, taken back byte for byte, never over what somebody else saved.
//!
//! Crashes are enumerated.

use std::path::Path;
use std::sync::Arc;

use base::Disk;
use base::disk::{Crash, CrashDisk, MemoryDisk, read_all, replace};

use super::*;
use crate::candidates::kit::{home, line_ids, new_line, read, workspace, write};

fn change(memory: &mut OpenMemory<'_>, text: &str) -> Result<(), FileError> {
    let change = MemoryChange {
        id: memory.next_id()?,
        at: "2026-04-20T10:00:00Z".parse().unwrap(),
        cause: "a test wrote",
        candidates: &[],
    };
    memory.write(&NoteText::alone(text), change)
}

fn content(disk: &dyn Disk) -> String {
    read(disk, "MEMORY.md")
}

#[test]
fn i9_repeated_undo_restores_each_state_byte_for_byte() {
    let disk = home("a\r\n\r\n  b", "");
    let workspace = workspace(Arc::new(disk.clone()));
    let mut memory = OpenMemory::open(&workspace).unwrap();
    change(&mut memory, "one").unwrap();
    change(&mut memory, "two").unwrap();
    for expected in ["one", "a\r\n\r\n  b"] {
        let preimage = memory.undoable().unwrap();
        memory.undo(&preimage).unwrap();
        assert_eq!(content(&disk), expected);
    }
    assert!(matches!(memory.undoable(), Err(UndoError::Nothing)));
}

#[test]
fn memory_saved_by_others_meanwhile_is_never_overwritten() {
    let disk = home("before", "");
    let workspace = workspace(Arc::new(disk.clone()));
    let mut memory = OpenMemory::open(&workspace).unwrap();
    write(&disk, "MEMORY.md", "the owner's");
    let refused = change(&mut memory, "ours");
    assert!(matches!(refused, Err(FileError::Changed(_))), "{refused:?}");
    assert_eq!(content(&disk), "the owner's");
    drop(memory);
    let mut memory = OpenMemory::open(&workspace).unwrap();
    change(&mut memory, "ours").unwrap();
    drop(memory);
    write(&disk, "MEMORY.md", "ours, edited");
    let memory = OpenMemory::open(&workspace).unwrap();
    let refused = memory.undoable().map(|preimage| preimage.id);
    assert!(
        matches!(&refused, Err(UndoError::Conflict { before, .. }) if before == "the owner's"),
        "{refused:?}"
    );
}

#[test]
fn crash_leaves_old_or_new_text_and_undo_still_works() {
    let start = home("before", "");
    for Crash { found, when, .. } in CrashDisk::crashes(&start, run) {
        let text = content(&found);
        assert!(text == "before" || text == "after", "{when}: {text:?}");
        let workspace = workspace(Arc::new(found.clone()));
        let mut memory = OpenMemory::open(&workspace).unwrap();
        change(&mut memory, "after").unwrap();
        let preimage = memory.undoable().unwrap();
        memory.undo(&preimage).unwrap();
        assert_eq!(content(&found), "before", "{when}");
    }
}

fn run(disk: CrashDisk) {
    let workspace = workspace(Arc::new(disk));
    let Ok(mut memory) = OpenMemory::open(&workspace) else {
        return;
    };
    let _ = change(&mut memory, "after");
}

#[test]
fn i9_file_in_other_encoding_is_read_but_not_written() {
    let disk = home("", "");
    let path = Path::new("/home/workspace/MEMORY.md");
    replace(&disk, path, b"tea\ncaf\xe9\n").unwrap();
    let workspace = workspace(Arc::new(disk.clone()));
    let mut memory = OpenMemory::open(&workspace).unwrap();
    assert_eq!(memory.text().readable(), "tea\ncaf\u{fffd}\n");
    let refused = change(&mut memory, "tea\ncafe\n");
    assert!(
        matches!(refused, Err(FileError::NotUtf8(_, 2))),
        "{refused:?}"
    );
    assert_eq!(read_all(&disk, path, 100).unwrap(), b"tea\ncaf\xe9\n");
    assert_eq!(memory.preimages().ids().unwrap(), []);
    drop(memory);
    // UTF-16 without a mark is UTF-8 by its bytes: every other one is a zero.
    replace(&disk, path, b"t\0e\0a\0\n\0").unwrap();
    let mut memory = OpenMemory::open(&workspace).unwrap();
    assert_eq!(memory.text().readable(), "tea\n");
    let refused = change(&mut memory, "tea\ncoffee\n");
    assert!(
        matches!(refused, Err(FileError::NotUtf8(_, 1))),
        "{refused:?}"
    );
    assert_eq!(read_all(&disk, path, 100).unwrap(), b"t\0e\0a\0\n\0");
}

#[test]
fn i9_undo_of_first_change_keeps_later_edits() {
    let disk = MemoryDisk::new();
    disk.create_dir(Path::new("/home/workspace")).unwrap();
    let path = Path::new("/home/workspace/MEMORY.md");
    let workspace = workspace(Arc::new(disk.clone()));
    let mut memory = OpenMemory::open(&workspace).unwrap();
    change(&mut memory, "- tea\n").unwrap();
    let preimage = memory.undoable().unwrap();
    assert_eq!(preimage.before, ContentBefore::Nothing);
    // An editor knows no lock.
    write(&disk, "MEMORY.md", "- tea\n- mine\n");
    let refused = memory.undo(&preimage);
    assert!(matches!(refused, Err(FileError::Changed(_))), "{refused:?}");
    assert_eq!(read_all(&disk, path, 100).unwrap(), b"- tea\n- mine\n");
    write(&disk, "MEMORY.md", "- tea\n");
    memory.undo(&preimage).unwrap();
    assert_eq!(disk.stat(path).unwrap(), None);
}

#[test]
fn i9_records_are_separate_file_and_undo_is_byte_for_byte() {
    let line = |text: &str| {
        let hash = base::short_hash(text);
        format!(
            "- {text} <!-- n:aa11 e:sessions/a.jsonl#e1@4:{hash} h:{hash} o:owner d:2026-01-05 -->"
        )
    };
    let before = format!("# Mine \r\n{}\r\n- by hand ^abc123", line("I prefer tea"));
    let disk = home(&before, "");
    let workspace = workspace(Arc::new(disk.clone()));
    let mut memory = OpenMemory::open(&workspace).unwrap();
    let edits = [crate::curated::Edit::Add {
        section: "Facts".into(),
        line: new_line("bb22", "I live in Graz"),
    }];
    let after = crate::curated::edited(memory.text(), &edits);
    let change = MemoryChange {
        id: memory.next_id().unwrap(),
        at: "2026-04-20T10:00:00Z".parse().unwrap(),
        cause: "a test wrote",
        candidates: &[],
    };
    memory.write(&after, change).unwrap();
    drop(memory);
    // The file holds marks, and the records stand next to it.
    let written = content(&disk);
    assert!(!written.contains("<!--"), "{written}");
    let memory = OpenMemory::open(&workspace).unwrap();
    assert_eq!(line_ids(memory.text()), ["aa11", "bb22"]);
    drop(memory);
    let mut memory = OpenMemory::open(&workspace).unwrap();
    let preimage = memory.undoable().unwrap();
    memory.undo(&preimage).unwrap();
    assert_eq!(content(&disk), before);
    assert_eq!(line_ids(memory.text()), ["aa11"]);
}
