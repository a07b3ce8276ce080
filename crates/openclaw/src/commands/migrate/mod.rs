//! `openclaw init --from`: brings over another home, of OpenClaw or our own.
//!
//! Never changes that home, and never a file that is already here.

mod within;

mod own;

mod home;

pub(crate) use home::{check_source, migrate};
