//! The end-to-end tests of `openclaw-fleet`, one file a behaviour.
//!
//! They run the program as its users do. `openclaw` makes and uses the homes; it lies beside the program (see `testkit::binary`).
#![cfg(test)]

mod fleet;
mod hints;
mod moved_homes;
mod vault;
