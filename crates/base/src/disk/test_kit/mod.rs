//! Disks for tests: writes fail, the power fails, or files change between two steps.
//!
//! Never used by the program itself.

mod conformance;
mod crash_disk;
mod hooked_disk;

pub use conformance::{PROMISES, Promise};
pub use crash_disk::{Crash, CrashDisk, Unsynced};
pub use hooked_disk::{Before, DiskOperation, Hook, HookedDisk};
