//! Tombstones: records of text that was forgotten or rejected and must not come back.
//!
//! Never stores forgotten text, only hashes and ids.

mod hidden_lines;
mod model;
mod set;

mod store;

#[cfg(test)]
mod index_tests;
#[cfg(test)]
mod reader_tests;

pub(crate) use hidden_lines::hidden_lines;
pub use model::{
    ForgottenEntry, OwnerLines, TextHash, Tombstone, TombstoneCause, TombstoneId, TombstoneProgress,
};
pub use set::{PurgeTargets, Tombstones};
pub use store::{
    TOMBSTONES_BYTES_MAX, add_tombstone, lift_tombstone, load_tombstones, reinstate,
    replace_tombstone, take_tombstones,
};
