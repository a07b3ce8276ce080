//! Homes beyond one machine: the port `Homes`, implemented over folders and over buckets.
//!
//! Knows no file of a home and holds no policy; the caller says which directories are derived.

mod bucket;
mod encryption;
mod error;
mod exchange;
mod folder;
mod layout;
mod name;
mod port;
#[cfg(feature = "testing")]
mod test_kit;

pub use bucket::{
    BucketAddress, BucketHomes, Cache, DamagedObject, HomeSummary, RequestCounts, VAULT_MARKER,
    Verification, check_new_vault, create_vault, is_beyond_repair, is_vault, vault_around,
};
pub use encryption::{Encrypting, EncryptionError, Key, Recipients, decrypt, is_encrypted};
pub use error::{HomesError, NameError};
pub use exchange::{Changes, FileDigest, HomePlace, Listing, WrittenFiles, copy};
pub use folder::FolderHomes;
pub use layout::{FolderKind, HomeParts};
pub use name::HomeName;
pub use port::{HomeVersion, HomeView, Homes, LeaseTerms, LeasedHome};

#[cfg(feature = "testing")]
pub use test_kit::{HookedStore, RequestKind, Verdict};
