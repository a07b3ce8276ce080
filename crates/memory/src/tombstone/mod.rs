//! Tombstones: records of what was forgotten or rejected and must not come back.
//!
//! Never stores forgotten text, only hashes and ids.

mod error;
mod hidden_lines;
mod model;
mod set;

mod store;

#[cfg(test)]
mod index_tests;
#[cfg(test)]
mod reader_tests;

pub use error::{TOMBSTONES_BYTES_MAX, TombstoneError};
pub(crate) use hidden_lines::hidden_lines;
pub use model::{
    ForgottenEntry, OwnerLines, TextHash, Tombstone, TombstoneCause, TombstoneId, TombstoneProgress,
};
pub use set::{PurgeTargets, Tombstones};
pub use store::{
    add_tombstone, lift_tombstone, load_tombstones, reinstate, replace_tombstone, take_tombstones,
};
