//! The tools that the assistant may call: in every session bringing back what a summary stands for, in
//! the primary one memory, the files of the workspace, and what the owner's servers bring.
//!
//! Never does what the owner was not asked about, where it cannot be undone.

pub(crate) mod access;
pub(crate) mod answer;
pub(crate) mod spec;
pub(crate) mod toolbox;

pub(crate) mod door;
mod files;
pub(crate) mod forget;
pub(crate) mod graph;
pub(crate) mod memory_get;
mod memory_search;
mod outside;
mod remember;
mod session_expand;
