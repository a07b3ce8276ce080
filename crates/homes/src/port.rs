//! The port `Homes`: many homes, each worked on by one at a time.
//!
//! What is written goes through the disk of an opened home: [`Disk::append`] with [`Disk::sync`] is what a bucket
//! stores as one object that is created once.

use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use base::Disk;

use crate::{HomeName, HomesError};

/// Who takes a lease, and for how long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeaseTerms {
    /// Told to whoever finds the home held.
    pub holder: String,
    /// How long the lease holds unless it is renewed.
    pub time: Duration,
}

/// Many homes in one place.
pub trait Homes: Send + Sync + Debug {
    /// The homes that are there, sorted.
    fn names(&self) -> Result<Vec<HomeName>, HomesError>;

    /// Whether there is a home of this name.
    fn has(&self, home: &HomeName) -> Result<bool, HomesError>;

    /// Looks at a home, whoever holds it.
    ///
    /// # Errors
    ///
    /// [`HomesError::Missing`] where there is none.
    fn read(&self, home: &HomeName) -> Result<HomeView, HomesError>;

    /// Takes a home for oneself; one that is not there begins empty. A lease of the same holder is taken over: whoever
    /// asks has given it up.
    ///
    /// Each lease has a greater epoch than all before it, whose holders can write nothing from the moment at which
    /// it is opened, whatever they were at.
    ///
    /// # Errors
    ///
    /// [`HomesError::Held`] while the lease of another holds.
    fn lease(&self, home: &HomeName, terms: &LeaseTerms)
    -> Result<Box<dyn LeasedHome>, HomesError>;
}

/// A home as it was at one moment, for whoever only reads it.
#[derive(Debug)]
pub struct HomeView {
    /// Where the home lies on its disk.
    pub root: PathBuf,
    /// The disk; it changes nothing that lasts.
    pub disk: Arc<dyn Disk>,
    /// As of [`LeasedHome::version`].
    pub version: Option<u64>,
}

/// A home that is leased and open.
pub trait LeasedHome: Send + Sync + Debug {
    /// The number of its lease.
    fn epoch(&self) -> u64;

    /// The same number says that the ground holds the same bytes; `None` where nobody counts.
    fn version(&self) -> Option<u64>;

    /// Where the home lies on its disk.
    fn root(&self) -> &Path;

    /// The disk of the home; every change of it fails once the lease is lost.
    fn disk(&self) -> Arc<dyn Disk>;

    /// Whether anything can still be written: not once the lease is lost, or a failure left it unknown what is
    /// stored. Such a home is released and leased anew. Waits for nothing.
    fn is_usable(&self) -> bool;

    /// Holds the lease for as long again.
    ///
    /// # Errors
    ///
    /// [`HomesError::Lost`] where another has taken the home over.
    fn renew(&self) -> Result<(), HomesError>;

    /// Brings a derived directory as it was last published onto this machine, where it is not there yet.
    fn hydrate(&self, directory: &str) -> Result<(), HomesError>;

    /// Stores a derived directory as it is now for the next holder; the next commit tells of it. Nobody may write
    /// to it meanwhile.
    fn publish(&self, directory: &str) -> Result<(), HomesError>;

    /// Swaps the head for one that says all that is stored, so that the next holder reads little.
    fn commit(&self) -> Result<(), HomesError>;

    /// Commits and gives the lease back: another may take the home at once, and this one writes nothing more. Where it
    /// cannot commit, it gives the lease back all the same: what is durable is in the log.
    fn release(&self) -> Result<(), HomesError>;
}

#[cfg(test)]
#[path = "port_tests.rs"]
mod tests;
