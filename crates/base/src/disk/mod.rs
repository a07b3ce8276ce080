//! The disk port, its implementations, and the durable writes built on it.
//!
//! Independent of file names and formats.

#[cfg(test)]
mod conformance_tests;
mod durable;
mod memory_disk;
mod os_disk;
mod port;
#[cfg(any(test, feature = "testing"))]
mod test_kit;

pub use durable::{
    ReplaceOutcome, SharedAppend, append, append_shared, create_dir, create_parent, create_tree,
    fill, remove, remove_unchanged, replace, replace_foreign, replace_through, replace_unchanged,
    replace_with, target_of_temporary, temporary_of,
};
pub use port::{
    Disk, DiskError, FileStat, Lock, LockError, ReadAt, by_process, read_all, read_some,
};

pub use memory_disk::MemoryDisk;
pub use os_disk::OsDisk;

#[cfg(any(test, feature = "testing"))]
pub use test_kit::{
    Before, Crash, CrashDisk, DiskOperation, Hook, HookedDisk, PROMISES, Promise, Unsynced,
};
