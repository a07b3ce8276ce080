//! Errors of homes.
//!
//! Each names the home, the place and the reason; the command line adds the next command to type.

use std::path::PathBuf;

use base::disk::DiskError;
use encryption::EncryptionError;

use crate::HomeName;

/// A text that is not a valid name of a home.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name:?} is not a valid home name: {reason}")]
pub struct NameError {
    /// The rejected text.
    pub name: String,
    /// The reason why it is invalid.
    pub reason: &'static str,
}

/// The reason why an operation on a home failed.
#[derive(Debug, thiserror::Error)]
pub enum HomesError {
    /// Another holder has the lease.
    #[error("home {home} is in use by {holder}{}", end_of_lease(until.as_deref()))]
    Held {
        home: HomeName,
        /// The holder of the lease.
        holder: String,
        /// End of the lease (RFC 3339), unless it is renewed.
        until: Option<String>,
    },
    /// Another holder has taken the home over.
    #[error("the lease of home {home} is lost: {by} has taken it over")]
    Lost {
        home: HomeName,
        /// The new holder.
        by: String,
    },
    /// The home does not exist.
    #[error("no home named {0}")]
    Missing(HomeName),
    /// A folder holds something other than a home.
    #[error("{} is not a home", .0.display())]
    NotHome(PathBuf),
    /// A file changed while it was copied. Everything copied before it is durable.
    #[error("{} changed during the copy", .0.display())]
    Changed(PathBuf),
    /// An object is missing or invalid.
    #[error("object {key} of home {home} is damaged: {reason}")]
    Damaged {
        home: HomeName,
        /// The key of the object.
        key: String,
        /// The cause.
        reason: String,
    },
    /// The home is encrypted, but no key was given.
    #[error("home {0} is encrypted, but no key was given")]
    Encrypted(HomeName),
    /// The home is in clear text, but a key was given.
    #[error("home {0} is not encrypted, but a key was given")]
    NotEncrypted(HomeName),
    /// The given key does not open the home.
    #[error("the key does not open home {home}")]
    WrongKey {
        home: HomeName,
        /// The reason why the key does not open it.
        #[source]
        source: EncryptionError,
    },
    /// A newer version of this program wrote the home.
    #[error("home {home} has format {found}; this version reads up to format {known}")]
    TooNew {
        home: HomeName,
        /// The version of its format.
        found: u32,
        /// The newest format that this program reads.
        known: u32,
    },
    /// Writes are rejected. Either the home is read-only or was released, or an earlier failure left its stored
    /// content unknown.
    #[error("cannot write to home {home} until it is reopened: {reason}")]
    Stopped {
        home: HomeName,
        /// The earlier failure, or the reason why the home is not writable.
        reason: String,
    },
    /// A request to the bucket failed.
    #[error("cannot {act} object {key}")]
    Store {
        /// The operation, as a verb.
        act: &'static str,
        /// The key of the object, or the directory that was listed.
        key: String,
        /// The error of the bucket client.
        #[source]
        source: object_store::Error,
    },
    /// The address is malformed, or no client can be created for it.
    #[error("cannot reach the homes at {address}: {reason}")]
    Address {
        /// The address as given.
        address: String,
        /// The cause.
        reason: String,
    },
    /// The disk of this machine failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

fn end_of_lease(time: Option<&str>) -> String {
    time.map_or_else(String::new, |time| format!(" until {time}"))
}
