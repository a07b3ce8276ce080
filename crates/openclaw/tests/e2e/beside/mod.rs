//! What is made beside a conversation, and what becomes of it: on disks in memory, with a model whose work
//! waits at a gate.
//!
//! Nothing here waits for real.

mod talk;

mod counted;
mod course;
mod crash;
mod generated;
mod oracle;
mod refused;
