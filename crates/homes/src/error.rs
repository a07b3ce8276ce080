//! What can go wrong with homes.
//!
//! Says what, of which home and where; the command line adds what to type next.

use base::disk::DiskError;

use crate::{EncryptionError, HomeName};

/// A text that cannot name a home.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name:?} cannot name a home: {reason}")]
pub struct NameError {
    /// The text.
    pub name: String,
    /// Why not.
    pub reason: &'static str,
}

/// Something about a home failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HomesError {
    /// Another works on the home.
    #[error("home {home} is held by {holder}{}", end_of_lease(until.as_deref()))]
    Held {
        /// The home.
        home: HomeName,
        /// Who holds it.
        holder: String,
        /// Until when, unless that is renewed.
        until: Option<String>,
    },
    /// Another has taken the home over.
    #[error("the lease of home {home} is lost: {by} has taken it over")]
    Lost {
        /// The home.
        home: HomeName,
        /// Who has it now.
        by: String,
    },
    /// There is no such home.
    #[error("there is no home {0}")]
    Missing(HomeName),
    /// An object is not what it should be.
    #[error("object {key} of home {home} is damaged: {reason}")]
    Damaged {
        /// The home.
        home: HomeName,
        /// The key of the object.
        key: String,
        /// What is wrong.
        reason: String,
    },
    /// A key is needed.
    #[error("home {0} is encrypted, and no key was given")]
    Encrypted(HomeName),
    /// A key was given that nothing needs.
    #[error("home {0} is not encrypted, and a key was given")]
    NotEncrypted(HomeName),
    /// Another key is needed.
    #[error("the key does not open home {home}")]
    WrongKey {
        /// The home.
        home: HomeName,
        /// Why not.
        #[source]
        source: EncryptionError,
    },
    /// The home was written by a newer program.
    #[error("home {home} has format {found}, and this program reads {known}")]
    TooNew {
        /// The home.
        home: HomeName,
        /// Its format.
        found: u32,
        /// The greatest that is known.
        known: u32,
    },
    /// An earlier failure left it unknown what is stored.
    #[error("home {home} must be opened again: {reason}")]
    Stopped {
        /// The home.
        home: HomeName,
        /// The earlier failure.
        reason: String,
    },
    /// The bucket did not do it.
    #[error("cannot {act} object {key}")]
    Store {
        /// What was tried, as a verb.
        act: &'static str,
        /// The key of the object.
        key: String,
        /// What the bucket said.
        #[source]
        source: object_store::Error,
    },
    /// The address or what belongs to it is not usable.
    #[error("cannot reach the homes at {address}: {reason}")]
    Address {
        /// As it was given.
        address: String,
        /// Why not.
        reason: String,
    },
    /// The disk of this machine failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

fn end_of_lease(time: Option<&str>) -> String {
    time.map_or_else(String::new, |time| format!(" until {time}"))
}
