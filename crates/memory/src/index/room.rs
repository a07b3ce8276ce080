//! Tells a full disk from a file that may not be written.
//!
//! Leaves nothing behind.

use std::io::ErrorKind;
use std::path::Path;

use base::Disk;
use base::disk::{remove, replace};

/// Whether the disk takes anything more in a directory.
pub fn has_room(disk: &dyn Disk, directory: &Path) -> bool {
    let tried = directory.join("room");
    let written = replace(disk, &tried, b"?");
    // Where it was not written, it is not there.
    remove(disk, &tried).unwrap_or_default();
    !matches!(written, Err(error) if error.kind() == ErrorKind::StorageFull)
}

#[cfg(test)]
mod tests {
    use base::disk::{CrashDisk, MemoryDisk};

    use super::*;

    #[test]
    fn a_full_disk_has_none_and_a_try_leaves_nothing() {
        let disk = MemoryDisk::new();
        disk.create_dir(Path::new("/index")).unwrap();
        assert!(has_room(&disk, Path::new("/index")));
        let left = disk.list(Path::new("/index")).unwrap();
        assert!(left.is_empty(), "{left:?}");
        let full = CrashDisk::full(&disk, 0);
        assert!(!has_room(&full, Path::new("/index")));
        // What may not be written for another reason is not full.
        assert!(has_room(&disk, Path::new("/nowhere")));
    }
}
