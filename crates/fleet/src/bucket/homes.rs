//! Implements `Homes` for a bucket.
//!
//! Several workers may serve one bucket; leases separate them.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base::HomeParts;
use base::{Clock, Disk};
use encryption::Key;

use super::address::BucketAddress;
use super::cache::Cache;
use super::head::head_key;
use super::home_key::{Absent, HomeKey};
use super::home_requests::HomeRequests;
use super::lease::{self, Lease};
use super::leased::{HeldHome, Log, ReadHome, read_unleased, take_over};
use super::lock_table::LockTable;
use super::objects::Objects;
use super::requests::{RequestCounts, Requests};
use super::tree::HomeTree;
use crate::{HomeName, HomeVersion, HomeView, Homes, HomesError, LeaseTerms, LeasedHome};

/// Homes in a bucket.
#[derive(Debug, Clone)]
pub struct BucketHomes {
    pub(super) requests: Arc<Requests>,
    cache: Arc<Cache>,
    pub(super) clock: Arc<dyn Clock>,
    layout: HomeParts,
    /// The owner's key; `None` stores homes in clear text.
    key: Option<Key>,
}

impl BucketHomes {
    /// Opens the homes at an address.
    ///
    /// # Errors
    ///
    /// [`HomesError::Address`] if the runtime of the bucket client cannot start.
    pub fn new(
        address: &BucketAddress,
        cache: Arc<Cache>,
        clock: Arc<dyn Clock>,
        layout: HomeParts,
    ) -> Result<Self, HomesError> {
        let requests = Requests::new(Arc::clone(&address.store), &address.prefix)?;
        Ok(Self {
            requests: Arc::new(requests),
            cache,
            clock,
            layout,
            key: None,
        })
    }

    /// Requests made to the bucket so far.
    pub fn counts(&self) -> RequestCounts {
        *self.requests.counts()
    }

    /// Sets the owner's key. Homes are then encrypted, each with its own key, which is stored encrypted for the
    /// owner.
    #[must_use]
    pub fn encrypted_with(mut self, key: Option<Key>) -> Self {
        self.key = key;
        self
    }

    /// Changes the owner's key that opens a home, under a lease. Only the stored key of the home is rewritten; the
    /// key itself stays the same, so anyone who has copied it can still read the home.
    ///
    /// # Errors
    ///
    /// [`HomesError::NotEncrypted`] if the home is in clear text, and those of [`Homes::lease`].
    pub fn rekey(&self, home: &HomeName, new: &Key, terms: &LeaseTerms) -> Result<(), HomesError> {
        let objects = self.objects(home, Absent::Missing)?;
        objects.existing_head()?;
        let Some(owner) = &self.key else {
            return Err(HomesError::NotEncrypted(home.clone()));
        };
        let lease = lease::take(&objects, &*self.clock, terms)?;
        let done = HomeKey::hand_over(&self.requests, home, (owner, new));
        // If the lease cannot be released, it expires.
        lease::extend(&objects.requests, &*self.clock, (&lease, Duration::ZERO)).ok();
        done
    }

    pub(crate) fn objects(&self, home: &HomeName, absent: Absent) -> Result<Objects, HomesError> {
        let open = |owner| HomeKey::open(&self.requests, home, (owner, absent));
        let key = self.key.as_ref().map(open).transpose()?;
        Ok(Objects {
            requests: HomeRequests {
                requests: Arc::clone(&self.requests),
                home: home.clone(),
                key: key.map(Arc::new),
            },
            cache: Arc::clone(&self.cache),
        })
    }
}

impl Homes for BucketHomes {
    fn names(&self) -> Result<Vec<HomeName>, HomesError> {
        let keys = self.requests.directories()?;
        let mut names: Vec<HomeName> = keys
            .iter()
            .filter_map(|key| HomeName::of_key(key))
            .collect();
        names.sort();
        Ok(names)
    }

    fn has(&self, home: &HomeName) -> Result<bool, HomesError> {
        Ok(self.requests.read(&head_key(home))?.is_some())
    }

    fn lease(
        &self,
        home: &HomeName,
        terms: &LeaseTerms,
    ) -> Result<Box<dyn LeasedHome>, HomesError> {
        let objects = self.objects(home, Absent::Begins)?;
        let mut lease = lease::take(&objects, &*self.clock, terms)?;
        let cleared = || -> Result<(), HomesError> {
            let root = self.cache.root_of(&home.key());
            // Local files from an earlier lease may be outdated, because others may have written to the home since.
            if self.cache.disk.stat(&root)?.is_some() {
                self.cache.disk.remove_tree(&root)?;
            }
            Ok(self.cache.disk.create_dir(&root)?)
        };
        let taken = cleared().and_then(|()| take_over(&objects, &mut lease));
        if taken.is_err() {
            // If the lease cannot be released, it expires.
            lease::extend(&objects.requests, &*self.clock, (&lease, Duration::ZERO)).ok();
        }
        let (tree, log) = taken?;
        let held = self.opened(objects, (tree, log), terms, Some(lease));
        Ok(Box::new(LeasedBucket(Arc::new(held))))
    }

    fn read(&self, home: &HomeName) -> Result<HomeView, HomesError> {
        let objects = self.objects(home, Absent::Missing)?;
        let (head, etag, read) = read_unleased(&objects)?;
        let ReadHome {
            tree,
            newest,
            version,
            ..
        } = read;
        let log = Log {
            stopped: Some("it was opened read-only".to_owned()),
            ..Log::after(head, etag, (newest, version.clone()))
        };
        let terms = LeaseTerms {
            holder: String::new(),
            time: Duration::ZERO,
        };
        let view = self.opened(objects, (tree, log), &terms, None);
        Ok(HomeView {
            root: view.root.clone(),
            disk: Arc::new(view),
            version: Some(version),
        })
    }
}

impl BucketHomes {
    fn opened(
        &self,
        objects: Objects,
        (tree, log): (HomeTree, Log),
        terms: &LeaseTerms,
        lease: Option<Lease>,
    ) -> HeldHome {
        HeldHome {
            clock: Arc::clone(&self.clock),
            layout: self.layout,
            terms: terms.clone(),
            root: self.cache.root_of(&objects.home().key()),
            local: Arc::clone(&self.cache.disk),
            locks: LockTable::default(),
            tree: Mutex::new(tree),
            log: Mutex::new(log),
            hydrated: Mutex::default(),
            lease: Mutex::new(lease),
            objects,
        }
    }
}

#[derive(Debug)]
struct LeasedBucket(Arc<HeldHome>);

impl LeasedHome for LeasedBucket {
    fn epoch(&self) -> u64 {
        self.0.log().head.epoch
    }

    fn version(&self) -> Option<HomeVersion> {
        Some(self.0.log().version.clone())
    }

    fn root(&self) -> &Path {
        &self.0.root
    }

    fn disk(&self) -> Arc<dyn Disk> {
        Arc::clone(&self.0) as Arc<dyn Disk>
    }

    fn is_usable(&self) -> bool {
        // If the log is locked, a write is under way, and it reports its own failure.
        let log = self.0.log.try_lock();
        log.map_or(true, |log| !log.is_lost && log.stopped.is_none())
    }

    fn renew(&self) -> Result<(), HomesError> {
        let extended = self.0.extend(self.0.terms.time);
        if let Err(HomesError::Lost { .. }) = extended {
            self.0.log().is_lost = true;
        }
        extended
    }

    fn publish(&self, directory: &str) -> Result<(), HomesError> {
        self.0.publish_directory(directory)
    }

    fn commit(&self) -> Result<(), HomesError> {
        self.0.fold(&mut self.0.log())
    }

    fn release(&self) -> Result<(), HomesError> {
        let mut log = self.0.log();
        let folded = self.0.fold(&mut log);
        log.stopped = Some("it was released".to_owned());
        drop(log);
        // Waits for a download under way; the files that it wrote are removed below.
        drop(base::locked(&self.0.hydrated));
        if let (Err(_), Some(lease)) = (&folded, &mut *self.0.lease()) {
            // An append without a response may still arrive.
            lease.is_fenced = false;
        }
        let extended = self.0.extend(Duration::ZERO);
        let removed = self.0.local.remove_tree(&self.0.root);
        folded.and(extended).and_then(|()| Ok(removed?))
    }
}
