//! The assistant's tools: in every session, expanding summaries; in the primary session also memory, workspace files,
//! and the owner's servers.
//!
//! Never does anything irreversible without asking the owner.

pub(crate) mod access;
pub(crate) mod answer;
pub(crate) mod spec;
pub(crate) mod toolbox;

pub(crate) mod door;
mod door_events;
mod door_promises;
mod files;
pub(crate) mod forget;
pub(crate) mod graph;
pub(crate) mod lasting;
pub(crate) mod memory_get;
pub(crate) mod memory_search;
mod outside;
mod owner_turn;
pub(crate) mod promise;
mod remember;
mod session_expand;
mod undo;
