//! The end-to-end tests of `openclaw-fleet`, one file per behaviour.
//!
//! They run the program as its users do. `openclaw` creates and uses the homes; its binary is next to this one (see
//! `testkit::binary`).
#![cfg(test)]

mod fleet;
mod hints;
mod moved_homes;
mod vault;
