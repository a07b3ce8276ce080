//! Work that is done next to a conversation, and its outcome: on disks in memory, with a model whose work waits at a
//! gate.
//!
//! Nothing here waits for real.

mod talk;

mod counted;
mod course;
mod crash;
mod generated;
mod oracle;
mod refused;
