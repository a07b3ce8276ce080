//! The disk port, its implementations and the ways in which this program writes.
//!
//! Knows no file name and no format.

#[cfg(test)]
mod conformance_tests;
#[cfg(any(test, feature = "testing"))]
mod crash_disk;
mod durable;
#[cfg(any(test, feature = "testing"))]
mod hooked_disk;
mod memory_disk;
mod os_disk;
mod overlay_disk;
mod port;

pub use durable::{
    Replaced, append, create_dir, create_tree, fill, remove, remove_unchanged, replace,
    replace_unchanged, replace_with,
};
pub use port::{Disk, DiskError, FileStat, Lock, LockError, ReadAt, read_all, read_some};

pub use memory_disk::MemoryDisk;
pub use os_disk::OsDisk;
pub use overlay_disk::OverlayDisk;

#[cfg(any(test, feature = "testing"))]
pub use crash_disk::{CrashDisk, Unsynced};

#[cfg(any(test, feature = "testing"))]
pub use hooked_disk::{Hook, HookedDisk, Operation};
