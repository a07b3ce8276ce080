//! What is left of a file that could not be written, and of one that somebody else saved meanwhile.
//!
//! Looks at every file of the disk.

use std::io;
use std::path::Path;

use super::*;
use crate::disk::{DiskOperation, Hook, HookedDisk, MemoryDisk};

/// Room for so many bytes of each append; what was written can be taken away.
#[derive(Debug)]
struct Full {
    disk: MemoryDisk,
    room: usize,
}

impl Hook for Full {
    fn before(&self, operation: DiskOperation<'_>) -> Result<(), DiskError> {
        let DiskOperation::Append(path, bytes) = operation else {
            return Ok(());
        };
        if bytes.len() <= self.room {
            return Ok(());
        }
        let fitting = bytes.get(..self.room).unwrap_or(bytes);
        self.disk.append(path, fitting)?;
        let full = io::ErrorKind::StorageFull.into();
        Err(DiskError::on("write", path)(full))
    }
}

const NOTE: &str = "/home/note.md";

fn with_note() -> MemoryDisk {
    let disk = MemoryDisk::new();
    disk.create_dir(Path::new("/home")).unwrap();
    replace(&disk, Path::new(NOTE), b"old").unwrap();
    disk
}

#[test]
fn a_file_that_does_not_fit_leaves_the_old_one_alone_and_takes_no_room() {
    let before = with_note().snapshot();
    for room in 0..3 {
        let disk = with_note();
        let (below, hook) = (disk.clone(), Full { disk, room });
        let full = HookedDisk { below, hook };
        let path = Path::new(NOTE);
        let write = |out: &mut dyn std::io::Write| out.write_all(b"newer");
        let written = [
            replace(&full, path, b"newer").map(|()| ReplaceOutcome::Done),
            replace_with(&full, path, &mut { write }).map(|()| ReplaceOutcome::Done),
            replace_unchanged(&full, path, Some(b"old"), b"newer"),
        ];
        let kinds = written.map(|it| it.unwrap_err().kind());
        assert_eq!(kinds, [io::ErrorKind::StorageFull; 3]);
        assert_eq!(full.below.snapshot(), before);
    }
}

#[test]
fn i9_a_file_that_somebody_saved_meanwhile_is_not_removed() {
    let disk = with_note();
    let path = Path::new(NOTE);
    let before = disk.snapshot();
    let remove = |expected: &[u8]| remove_unchanged(&disk, path, expected).unwrap();
    assert_eq!(remove(b"older"), ReplaceOutcome::Changed);
    assert_eq!(disk.snapshot(), before);
    assert_eq!(remove(b"old"), ReplaceOutcome::Done);
    assert_eq!(disk.stat(path).unwrap(), None);
    // One that is gone is as gone as it should be.
    assert_eq!(remove(b"old"), ReplaceOutcome::Done);
}
