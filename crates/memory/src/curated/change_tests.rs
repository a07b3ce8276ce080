//! Changes of `MEMORY.md`: kept, taken back to the byte, never over what somebody else saved.
//!
//! Crashes are enumerated.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::Disk;
use base::disk::{CrashDisk, MemoryDisk, Unsynced, read_all, replace};

use super::*;

fn workspace(disk: Arc<dyn Disk>) -> Workspace {
    let below = |name: &str| -> PathBuf { Path::new("/home").join(name) };
    Workspace::new(
        disk,
        below("workspace"),
        below("state/locks"),
        below("state/quarantine"),
    )
}

fn with_memory(text: &str) -> MemoryDisk {
    let disk = MemoryDisk::new();
    disk.create_dir(Path::new("/home/workspace")).unwrap();
    replace(
        &disk,
        Path::new("/home/workspace/MEMORY.md"),
        text.as_bytes(),
    )
    .unwrap();
    disk
}

fn change(memory: &mut OpenMemory<'_>, text: &str) -> Result<(), ChangeError> {
    let change = Change {
        id: memory.next_id()?,
        at: "2026-04-20T10:00:00Z".parse().unwrap(),
        cause: "a test wrote",
        candidates: &[],
    };
    memory.write(text, change)
}

fn content(disk: &dyn Disk) -> String {
    let bytes = read_all(disk, Path::new("/home/workspace/MEMORY.md"), 1 << 20).unwrap();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn i9_changes_are_taken_back_to_the_byte_one_after_the_other() {
    let disk = with_memory("a\r\n\r\n  b");
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
fn what_somebody_saved_meanwhile_is_never_overwritten() {
    let disk = with_memory("before");
    let path = Path::new("/home/workspace/MEMORY.md");
    let workspace = workspace(Arc::new(disk.clone()));
    let mut memory = OpenMemory::open(&workspace).unwrap();
    replace(&disk, path, b"the owner's").unwrap();
    let refused = change(&mut memory, "ours");
    assert!(matches!(refused, Err(ChangeError::Changed)), "{refused:?}");
    assert_eq!(content(&disk), "the owner's");
    drop(memory);
    let mut memory = OpenMemory::open(&workspace).unwrap();
    change(&mut memory, "ours").unwrap();
    drop(memory);
    replace(&disk, path, b"ours, edited").unwrap();
    let memory = OpenMemory::open(&workspace).unwrap();
    let refused = memory.undoable().map(|preimage| preimage.id);
    assert!(
        matches!(&refused, Err(UndoError::Conflict { before, .. }) if before == "the owner's"),
        "{refused:?}"
    );
}

#[test]
fn a_crash_leaves_the_old_text_or_the_new_one_and_undo_still_works() {
    let start = with_memory("before");
    let whole = CrashDisk::new(&start, u64::MAX);
    run(&whole);
    for n_moments in 0..=whole.n_moments() {
        for unsynced in [Unsynced::Kept, Unsynced::Lost] {
            let disk = CrashDisk::new(&start, n_moments);
            run(&disk);
            let after = disk.after_crash(unsynced);
            let found = content(&after);
            assert!(
                found == "before" || found == "after",
                "{n_moments}: {found:?}"
            );
            let workspace = workspace(Arc::new(after.clone()));
            let mut memory = OpenMemory::open(&workspace).unwrap();
            change(&mut memory, "after").unwrap();
            let preimage = memory.undoable().unwrap();
            memory.undo(&preimage).unwrap();
            assert_eq!(content(&after), "before", "{n_moments} {unsynced:?}");
        }
    }
}

fn run(disk: &CrashDisk) {
    let workspace = workspace(Arc::new(disk.clone()));
    let Ok(mut memory) = OpenMemory::open(&workspace) else {
        return;
    };
    let _ = change(&mut memory, "after");
}

#[test]
fn i9_a_file_in_another_encoding_is_read_and_not_written() {
    let disk = with_memory("");
    let path = Path::new("/home/workspace/MEMORY.md");
    replace(&disk, path, b"tea\ncaf\xe9\n").unwrap();
    let workspace = workspace(Arc::new(disk.clone()));
    let mut memory = OpenMemory::open(&workspace).unwrap();
    assert_eq!(memory.text(), "tea\ncaf\u{fffd}\n");
    let refused = change(&mut memory, "tea\ncafe\n");
    assert!(
        matches!(refused, Err(ChangeError::NotUtf8(2))),
        "{refused:?}"
    );
    assert_eq!(read_all(&disk, path, 100).unwrap(), b"tea\ncaf\xe9\n");
    assert_eq!(memory.preimages().ids().unwrap(), []);
    drop(memory);
    // UTF-16 without a mark is UTF-8 by its bytes: every other one is a zero.
    replace(&disk, path, b"t\0e\0a\0\n\0").unwrap();
    let mut memory = OpenMemory::open(&workspace).unwrap();
    assert_eq!(memory.text(), "tea\n");
    let refused = change(&mut memory, "tea\ncoffee\n");
    assert!(
        matches!(refused, Err(ChangeError::NotUtf8(1))),
        "{refused:?}"
    );
    assert_eq!(read_all(&disk, path, 100).unwrap(), b"t\0e\0a\0\n\0");
}

#[test]
fn i9_the_undo_of_a_first_change_leaves_what_was_saved_meanwhile() {
    let disk = MemoryDisk::new();
    disk.create_dir(Path::new("/home/workspace")).unwrap();
    let path = Path::new("/home/workspace/MEMORY.md");
    let workspace = workspace(Arc::new(disk.clone()));
    let mut memory = OpenMemory::open(&workspace).unwrap();
    change(&mut memory, "- tea\n").unwrap();
    let preimage = memory.undoable().unwrap();
    assert_eq!(preimage.before, Before::Nothing);
    // An editor knows no lock.
    replace(&disk, path, b"- tea\n- mine\n").unwrap();
    let refused = memory.undo(&preimage);
    assert!(matches!(refused, Err(ChangeError::Changed)), "{refused:?}");
    assert_eq!(read_all(&disk, path, 100).unwrap(), b"- tea\n- mine\n");
    replace(&disk, path, b"- tea\n").unwrap();
    memory.undo(&preimage).unwrap();
    assert_eq!(disk.stat(path).unwrap(), None);
}
