//! Backs up a home to one file while it is in use, on request or on a schedule, and restores it.
//!
//! Never restores over an existing home.

mod make;
mod schedule;

mod pack;
mod unpack;

mod streams;

pub(crate) use make::{Made, make, name};
pub(crate) use pack::{Manifest, would_pack};
pub(crate) use schedule::ScheduledBackups;
pub(crate) use unpack::{BackupSource, check, read_file, unpack};
