//! A home in one file: packing it while it is in use, and unpacking it where nothing is.
//!
//! Never changes a home that holds something.

mod pack;
mod unpack;

mod streams;

pub(crate) use pack::{LeftOut, Manifest, pack, would_pack};
pub(crate) use unpack::{check, unpack};
