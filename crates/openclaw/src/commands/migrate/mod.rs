//! `openclaw init --from`: imports another home, OpenClaw's or our own.
//!
//! Never changes that home, nor a file that already exists here.

mod within;

mod own;

mod home;

pub(crate) use home::{check_source, migrate};
