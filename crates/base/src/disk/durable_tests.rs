//! The files after a failed write, and after another program saved the file meanwhile.
//!
//! Compares every file of the disk.

use std::io;
use std::path::Path;

use super::*;
use crate::disk::{DiskOperation, HookedDisk, MemoryDisk};

const NOTE: &str = "/home/note.md";

fn with_note() -> MemoryDisk {
    let disk = MemoryDisk::new();
    disk.create_dir(Path::new("/home")).unwrap();
    replace(&disk, Path::new(NOTE), b"old").unwrap();
    disk
}

#[test]
fn write_without_room_keeps_old_file_and_leaves_no_temporary() {
    let before = with_note().snapshot();
    for room in 0..3 {
        let disk = with_note();
        // Each append has room for only `room` bytes; files can still be removed.
        let full = HookedDisk::before(disk.clone(), |operation| {
            if let DiskOperation::Append(path, bytes) = operation
                && let Some(fitting) = bytes.get(..room)
            {
                disk.append(path, fitting)?;
                let full = io::ErrorKind::StorageFull.into();
                return Err(DiskError::on("write", path)(full));
            }
            Ok(())
        });
        let path = Path::new(NOTE);
        let write = |out: &mut dyn std::io::Write| out.write_all(b"newer");
        let written = [
            replace(&full, path, b"newer").map(|()| ReplaceOutcome::Done),
            replace_with(&full, path, &mut { write }).map(|()| ReplaceOutcome::Done),
            replace_unchanged(&full, path, Some(b"old"), b"newer"),
            replace_foreign(&full, path, Some(b"old"), b"newer"),
        ];
        for error in written.map(Result::unwrap_err) {
            assert_eq!(error.to_string(), "cannot write /home/note.md");
            assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        }
        assert_eq!(full.below.snapshot(), before);
    }
}

#[test]
fn i9_remove_unchanged_keeps_file_changed_meanwhile() {
    let disk = with_note();
    let path = Path::new(NOTE);
    let before = disk.snapshot();
    let remove = |expected: &[u8]| remove_unchanged(&disk, path, expected).unwrap();
    assert_eq!(remove(b"older"), ReplaceOutcome::Changed);
    assert_eq!(disk.snapshot(), before);
    assert_eq!(remove(b"old"), ReplaceOutcome::Done);
    assert_eq!(disk.stat(path).unwrap(), None);
    // A missing file counts as removed.
    assert_eq!(remove(b"old"), ReplaceOutcome::Done);
}

#[test]
fn i9_replace_unchanged_keeps_file_changed_during_comparison() {
    let act: [fn(&MemoryDisk); 2] = [
        |disk| disk.append(Path::new(NOTE), b" and more").unwrap(),
        |disk| disk.remove(Path::new(NOTE)).unwrap(),
    ];
    for act in act {
        let disk = with_note();
        let raced = HookedDisk::before(disk.clone(), |operation| {
            if let DiskOperation::Open(_) = operation {
                act(&disk);
            }
            Ok(())
        });
        let replaced = replace_unchanged(&raced, Path::new(NOTE), Some(b"old"), b"new").unwrap();
        assert_eq!(replaced, ReplaceOutcome::Changed);
        let left = with_note();
        act(&left);
        assert_eq!(disk.snapshot(), left.snapshot());
    }
}

#[test]
fn replace_foreign_ignores_temporary_of_other_process() {
    let disk = with_note();
    let path = Path::new(NOTE);
    let of_another = temporary_of(path);
    disk.append(&of_another, b"half").unwrap();
    let replaced = replace_foreign(&disk, path, Some(b"old"), b"new").unwrap();
    assert_eq!(replaced, ReplaceOutcome::Done);
    let kept = replace_foreign(&disk, path, None, b"newer").unwrap();
    assert_eq!(kept, ReplaceOutcome::Changed);
    assert_eq!(disk.list(Path::new("/home")).unwrap().len(), 2);
    assert_eq!(read_all(&disk, path, 10).unwrap(), b"new");
    assert_eq!(read_all(&disk, &of_another, 10).unwrap(), b"half");
}

#[test]
fn temporary_name_leads_back_to_its_target() {
    use std::os::unix::ffi::OsStrExt;

    for name in [&b"a"[..], b"a.md", b".hidden", b"caf\xe9", b".tmp"] {
        let name = Path::new(OsStr::from_bytes(name));
        let temporary = temporary_of(&Path::new("/home").join(name));
        assert_eq!(temporary.parent(), Some(Path::new("/home")));
        let temporary = Path::new(temporary.file_name().unwrap());
        assert_eq!(target_of_temporary(temporary), Some(name));
    }
    for other in ["a", "a.tmp", ".a", ".tmp", "..", ""] {
        assert_eq!(target_of_temporary(Path::new(other)), None, "{other}");
    }
}
