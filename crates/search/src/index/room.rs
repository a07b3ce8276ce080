//! Finds out why files of the index cannot grow, if `SQLite` and tantivy do not report it.
//!
//! Leaves no file behind.

use std::path::Path;

use base::Disk;
use base::disk::{DiskError, remove, replace};

/// Bytes by which the longest file of an index must be able to grow.
const GROWTH_BYTES: u64 = 1024 * 1024;

/// Why nothing can be written in a directory: the disk is full, or a limit on file length or open files is reached;
/// `None` if neither.
pub fn hindrance(disk: &dyn Disk, directory: &Path) -> Option<DiskError> {
    let tried = directory.join("room");
    let written = replace(disk, &tried, b"?");
    // The limit applies to the length, and a hole uses no space.
    let grown =
        written.and_then(|()| disk.truncate(&tried, longest(disk, directory)? + GROWTH_BYTES));
    // Best effort: if the write failed, there is no file.
    remove(disk, &tried).unwrap_or_default();
    grown.err()
}

fn longest(disk: &dyn Disk, directory: &Path) -> Result<u64, DiskError> {
    let mut longest = 0;
    for name in disk.list(directory)? {
        let stat = disk.stat(&directory.join(name))?;
        longest = stat.map_or(0, |stat| stat.len).max(longest);
    }
    Ok(longest)
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;

    use base::disk::{CrashDisk, DiskOperation, HookedDisk, MemoryDisk};

    use super::*;

    fn met(disk: &dyn Disk, directory: &str) -> Option<ErrorKind> {
        hindrance(disk, Path::new(directory)).map(|error| error.kind())
    }

    #[test]
    fn room_check_reports_obstacle_and_leaves_no_file() {
        let disk = MemoryDisk::new();
        disk.create_dir(Path::new("/index")).unwrap();
        // A system that lets no file become longer.
        let limited = HookedDisk::before(disk.clone(), |operation| {
            if let DiskOperation::Truncate(path) = operation {
                return Err(DiskError::on("cut", path)(ErrorKind::FileTooLarge.into()));
            }
            Ok(())
        });
        assert_eq!(met(&disk, "/index"), None);
        assert_eq!(met(&limited, "/index"), Some(ErrorKind::FileTooLarge));
        let left = disk.list(Path::new("/index")).unwrap();
        assert!(left.is_empty(), "{left:?}");
        let full = CrashDisk::full(&disk, 0);
        assert_eq!(met(&full, "/index"), Some(ErrorKind::StorageFull));
    }
}
