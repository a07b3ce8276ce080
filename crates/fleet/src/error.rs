//! Errors of homes.
//!
//! Each names the home, the place and the reason; the command line adds what to type next.

use std::path::PathBuf;

use base::disk::DiskError;
use encryption::EncryptionError;

use crate::HomeName;

/// A text that is no valid name of a home.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name:?} is not a valid home name: {reason}")]
pub struct NameError {
    /// The text.
    pub name: String,
    /// Why it is invalid.
    pub reason: &'static str,
}

/// An operation on a home failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HomesError {
    /// Another holder has the lease.
    #[error("home {home} is held by {holder}{}", end_of_lease(until.as_deref()))]
    Held {
        /// The home.
        home: HomeName,
        /// Who holds it.
        holder: String,
        /// End of the lease (RFC 3339), unless renewed.
        until: Option<String>,
    },
    /// Another holder has taken the home over.
    #[error("the lease of home {home} is lost: {by} has taken it over")]
    Lost {
        /// The home.
        home: HomeName,
        /// Who holds it now.
        by: String,
    },
    /// The home does not exist.
    #[error("no home named {0}")]
    Missing(HomeName),
    /// A folder holds something other than a home.
    #[error("{} is not a home", .0.display())]
    NotHome(PathBuf),
    /// A file changed while it was copied; what was copied before it is durable.
    #[error("{} changed during the copy", .0.display())]
    Changed(PathBuf),
    /// An object is missing or invalid.
    #[error("object {key} of home {home} is damaged: {reason}")]
    Damaged {
        /// The home.
        home: HomeName,
        /// The key of the object.
        key: String,
        /// What is wrong.
        reason: String,
    },
    /// The home is encrypted, and no key was given.
    #[error("home {0} is encrypted, and no key was given")]
    Encrypted(HomeName),
    /// The home is in clear text, and a key was given.
    #[error("home {0} is not encrypted, and a key was given")]
    NotEncrypted(HomeName),
    /// The given key does not open the home.
    #[error("the key does not open home {home}")]
    WrongKey {
        /// The home.
        home: HomeName,
        /// Why the key does not open it.
        #[source]
        source: EncryptionError,
    },
    /// A newer program wrote the home.
    #[error("home {home} has format {found}; this version reads up to format {known}")]
    TooNew {
        /// The home.
        home: HomeName,
        /// Its format.
        found: u32,
        /// The newest format that this program reads.
        known: u32,
    },
    /// Writes are refused: the home is read-only or given back, or after a failure it is unknown what is stored.
    #[error("cannot write to home {home} until it is reopened: {reason}")]
    Stopped {
        /// The home.
        home: HomeName,
        /// The earlier failure, or why the home is not writable.
        reason: String,
    },
    /// A request to the bucket failed.
    #[error("cannot {act} object {key}")]
    Store {
        /// The operation, as a verb.
        act: &'static str,
        /// The key of the object.
        key: String,
        /// Error of the bucket client.
        #[source]
        source: object_store::Error,
    },
    /// The address is malformed, or no client can be made for it.
    #[error("cannot reach the homes at {address}: {reason}")]
    Address {
        /// The address as given.
        address: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The disk of this machine failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

fn end_of_lease(time: Option<&str>) -> String {
    time.map_or_else(String::new, |time| format!(" until {time}"))
}
