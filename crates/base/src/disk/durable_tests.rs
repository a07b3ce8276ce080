//! What is left of a file that could not be written, and of one that somebody else saved meanwhile.
//!
//! Looks at every file of the disk.

use std::io;
use std::path::{Path, PathBuf};

use super::*;
use crate::disk::{FileStat, Lock, LockError, MemoryDisk, ReadAt};

/// A disk with room for so many bytes of each append; what was written can be taken away.
#[derive(Debug)]
struct Full {
    disk: MemoryDisk,
    room: usize,
}

impl Disk for Full {
    fn append(&self, path: &Path, bytes: &[u8]) -> Result<(), DiskError> {
        let fitting = bytes.get(..self.room).unwrap_or(bytes);
        self.disk.append(path, fitting)?;
        if fitting.len() == bytes.len() {
            return Ok(());
        }
        Err(DiskError::on("write", path)(
            io::ErrorKind::StorageFull.into(),
        ))
    }

    fn open(&self, path: &Path) -> Result<Box<dyn ReadAt>, DiskError> {
        self.disk.open(path)
    }

    fn stat(&self, path: &Path) -> Result<Option<FileStat>, DiskError> {
        self.disk.stat(path)
    }

    fn list(&self, directory: &Path) -> Result<Vec<PathBuf>, DiskError> {
        self.disk.list(directory)
    }

    fn create_dir(&self, directory: &Path) -> Result<(), DiskError> {
        self.disk.create_dir(directory)
    }

    fn truncate(&self, path: &Path, len: u64) -> Result<(), DiskError> {
        self.disk.truncate(path, len)
    }

    fn sync(&self, path: &Path) -> Result<(), DiskError> {
        self.disk.sync(path)
    }

    fn sync_dir(&self, directory: &Path) -> Result<(), DiskError> {
        self.disk.sync_dir(directory)
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<(), DiskError> {
        self.disk.rename(from, to)
    }

    fn remove(&self, path: &Path) -> Result<(), DiskError> {
        self.disk.remove(path)
    }

    fn try_lock(&self, path: &Path) -> Result<Lock, LockError> {
        self.disk.try_lock(path)
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
        let full = Full {
            disk: with_note(),
            room,
        };
        let path = Path::new(NOTE);
        let write = |out: &mut dyn std::io::Write| out.write_all(b"newer");
        let written = [
            replace(&full, path, b"newer").map(|()| Replaced::Done),
            replace_with(&full, path, &mut { write }).map(|()| Replaced::Done),
            replace_unchanged(&full, path, Some(b"old"), b"newer"),
        ];
        let kinds = written.map(|it| it.unwrap_err().kind());
        assert_eq!(kinds, [io::ErrorKind::StorageFull; 3]);
        assert_eq!(full.disk.snapshot(), before);
    }
}

#[test]
fn i9_a_file_that_somebody_saved_meanwhile_is_not_removed() {
    let disk = with_note();
    let path = Path::new(NOTE);
    let before = disk.snapshot();
    let removed = remove_unchanged(&disk, path, b"older").unwrap();
    assert_eq!((removed, disk.snapshot()), (Replaced::Changed, before));
    let removed = remove_unchanged(&disk, path, b"old").unwrap();
    assert_eq!((removed, disk.stat(path).unwrap()), (Replaced::Done, None));
    // One that is gone is as gone as it should be.
    assert_eq!(
        remove_unchanged(&disk, path, b"old").unwrap(),
        Replaced::Done
    );
}
