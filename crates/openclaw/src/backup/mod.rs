//! A home in one file: packing it while it is in use, on request or on a schedule, and unpacking it where nothing is.
//!
//! Never changes a home that holds something.

mod make;
mod schedule;

mod pack;
mod unpack;

mod streams;

pub(crate) use make::{Made, make, name};
pub(crate) use pack::{Manifest, would_pack};
pub(crate) use schedule::ScheduledBackups;
pub(crate) use unpack::{Source, check, unpack};
