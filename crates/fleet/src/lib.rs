//! Homes beyond one machine: stored in folders, buckets and vaults, copied to and from them, and served from them.
//!
//! The program `openclaw-fleet` calls `run`; `openclaw` does not depend on this crate.

mod name;

mod error;
mod port;

mod bucket;
mod exchange;
mod folder;

mod http;

mod app;
mod command_line;
mod commands;
mod failure;
mod prelude;

#[cfg(test)]
mod reference_tests;
#[cfg(feature = "testing")]
mod test_kit;

pub use app::run;
pub use bucket::{
    BucketAddress, BucketHomes, Cache, DamagedObject, HomeSummary, RequestCounts, SeenObjects,
    Verification, check_new_vault, create_vault, is_beyond_repair, is_vault,
};
pub use error::{HomesError, NameError};
pub use exchange::{Changes, FileDigest, HomePlace, Listing, WrittenFiles, copy};
pub use folder::FolderHomes;
pub use name::HomeName;
pub use port::{HomeVersion, HomeView, Homes, LeaseTerms, LeasedHome};

#[cfg(feature = "testing")]
pub use test_kit::{HookedStore, RequestKind, Verdict};
