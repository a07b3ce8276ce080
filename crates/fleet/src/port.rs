//! The port `Homes`: many homes, each with at most one writer at a time.
//!
//! All writes go through the disk of a leased home. In a bucket, the bytes appended between two calls of
//! [`Disk::sync`] are stored as one write-once object.

use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use base::{Disk, content_hash};
use serde::{Deserialize, Serialize};

use crate::{HomeName, HomesError};

/// The holder and the duration of a lease.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeaseTerms {
    /// The holder's name, shown to others that try to lease the home.
    pub holder: String,
    /// How long the lease lasts unless it is renewed.
    pub time: Duration,
}

/// Many homes in one place.
pub trait Homes: Send + Sync + Debug {
    /// Names of all homes, sorted.
    fn names(&self) -> Result<Vec<HomeName>, HomesError>;

    /// Whether a home with this name exists.
    fn has(&self, home: &HomeName) -> Result<bool, HomesError>;

    /// Opens a home for reading, even while it is leased.
    ///
    /// # Errors
    ///
    /// [`HomesError::Missing`] if it does not exist.
    fn read(&self, home: &HomeName) -> Result<HomeView, HomesError>;

    /// Leases a home; a missing one is created empty. A holder that already has the lease takes it over from itself,
    /// which means that it has given up the earlier lease.
    ///
    /// In a bucket, each lease has a higher epoch than all earlier ones. Once a home is open, earlier holders cannot
    /// write to it, even if they are in the middle of a call.
    ///
    /// # Errors
    ///
    /// [`HomesError::Held`] while another holder's lease lasts.
    fn lease(&self, home: &HomeName, terms: &LeaseTerms)
    -> Result<Box<dyn LeasedHome>, HomesError>;
}

/// Identifies the content of a home in a bucket: equal versions mean equal bytes, except in local files.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct HomeVersion {
    /// Identifies the home since its creation. A home that was removed and created again has another id.
    #[serde(default)]
    pub home_id: String,
    /// The number of changes that led to this version.
    pub number: u64,
    /// Hash of all these changes. A home that was recreated or restored may have the same number of changes, but not
    /// the same hash.
    pub history: String,
}

impl HomeVersion {
    /// Whether this version can follow an earlier one. It cannot if the home was recreated, or if an older state was
    /// restored.
    pub fn can_follow(&self, earlier: &Self) -> bool {
        self.home_id == earlier.home_id && self.number >= earlier.number
    }

    /// The version after one more change.
    pub(crate) fn after(&self, change: &[u8]) -> Self {
        let history = [self.history.as_bytes(), change].concat();
        Self {
            home_id: self.home_id.clone(),
            number: self.number + 1,
            history: content_hash(&history),
        }
    }
}

/// A home opened for reading: a snapshot of a bucket, or a folder itself.
#[derive(Debug)]
pub struct HomeView {
    /// Root of the home on its disk.
    pub root: PathBuf,
    /// The disk, for reading only; writes to a bucket fail at the next sync.
    pub disk: Arc<dyn Disk>,
    /// See [`LeasedHome::version`].
    pub version: Option<HomeVersion>,
}

/// A home that is leased and open.
pub trait LeasedHome: Send + Sync + Debug {
    /// Epoch of the lease; 0 for a folder.
    fn epoch(&self) -> u64;

    /// Version of the home; `None` for a folder.
    fn version(&self) -> Option<HomeVersion>;

    /// Root of the home on its disk.
    fn root(&self) -> &Path;

    /// The disk of the home. Once the lease is lost, changes to stored files no longer become durable. The first
    /// access to a derived directory downloads it as it was last published.
    fn disk(&self) -> Arc<dyn Disk>;

    /// Whether the home can still be written. False once the lease is lost, or if a failed write left the stored
    /// content unknown. The caller then releases the home and leases it again. Never blocks.
    fn is_usable(&self) -> bool;

    /// Extends the lease by its full time, from now.
    ///
    /// # Errors
    ///
    /// [`HomesError::Lost`] if another holder has taken the home over.
    fn renew(&self) -> Result<(), HomesError>;

    /// Stores the current state of a derived directory for the next holder, if the directory was accessed. Nobody may
    /// write to it during the call.
    fn publish(&self, directory: &str) -> Result<(), HomesError>;

    /// Folds the log into the head, so that the next holder has little to read.
    fn commit(&self) -> Result<(), HomesError>;

    /// Commits and releases the lease. Further writes are rejected, and others may lease the home at once. The lease
    /// is released even if the commit fails, because everything durable is in the log.
    fn release(&self) -> Result<(), HomesError>;
}

#[cfg(test)]
#[path = "port_tests.rs"]
mod tests;
