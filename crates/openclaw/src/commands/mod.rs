//! The commands, one module each.
//!
//! They map arguments to library calls and hold no policy.

pub(crate) mod about;
pub(crate) mod agenda;
pub(crate) mod backup;
mod calling;
pub(crate) mod chat;
pub(crate) mod config;
pub(crate) mod connect;
pub(crate) mod demo;
pub(crate) mod doctor;
pub(crate) mod dream;
pub(crate) mod hook;
pub(crate) mod init;
pub(crate) mod mcp;
pub(crate) mod memory;
pub(crate) mod replay;
pub(crate) mod restore;
pub(crate) mod serve;
pub(crate) mod service;
pub(crate) mod session;
pub(crate) mod why;

mod events;
mod imported;
mod migrate;
mod past;
mod proof;
mod stdin;
mod undo_import;
