//! An open home in a bucket, and the only code that appends to its log.
//!
//! Each record is created exactly once, under the next number. Unless the last holder released the home, a new holder
//! first occupies that number with an empty record (a bar), so that an earlier holder can never append again.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use base::HomeParts;
use base::{Clock, Disk};
use uuid::Uuid;

use super::derived::Hydration;
use super::head::{FileParts, HomeHead, record_key};
use super::lease::{self, Lease};
use super::lock_table::LockTable;
use super::objects::{Logged, Objects};
use super::record::{LogChange, Record, version_after};
use super::requests::Etag;
use super::tree::HomeTree;
use crate::{HomeVersion, HomesError, LeaseTerms};

/// Number of records after the head from which they are folded. Bounds how much opening a home reads.
const RECORDS_MAX: u64 = 128;

/// Bytes in records after the head from which they are folded.
const RECORD_BYTES_MAX: u64 = 1024 * 1024;

/// A home that this process has opened, with a lease or read-only.
#[derive(Debug)]
pub(crate) struct HeldHome {
    pub(crate) objects: Objects,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) layout: HomeParts,
    pub(crate) terms: LeaseTerms,
    /// Path of the home for its users; only its local directories exist on this machine's disk.
    pub(crate) root: PathBuf,
    /// The disk of this machine.
    pub(crate) local: Arc<dyn Disk>,
    pub(crate) locks: LockTable,
    pub(crate) tree: Mutex<HomeTree>,
    pub(crate) log: Mutex<Log>,
    /// The derived directories that were accessed, with the outcome.
    pub(crate) hydrated: Mutex<BTreeMap<&'static str, Hydration>>,
    /// `None` if the home is read-only.
    pub(crate) lease: Mutex<Option<Lease>>,
}

/// The writing end of the log.
#[derive(Debug)]
pub(crate) struct Log {
    pub(crate) head: HomeHead,
    pub(crate) etag: Etag,
    /// The number of the next record.
    pub(crate) next: u64,
    /// Numbers of the bars. Bars are never deleted, because an earlier holder may wake up at any time.
    pub(crate) bars: BTreeSet<u64>,
    /// Bytes added by the records after the head.
    pub(crate) n_bytes: u64,
    /// The version after the newest record.
    pub(crate) version: HomeVersion,
    /// Keys that the head does not reference; the next fold deletes them.
    pub(crate) garbage: Vec<String>,
    /// The reason why writes are rejected, if they are.
    pub(crate) stopped: Option<String>,
    pub(crate) is_lost: bool,
    /// Stored directories that the next head will list.
    pub(crate) published: Vec<Published>,
}

/// A derived directory and its files.
pub(crate) type Published = (String, Vec<(String, FileParts)>);

impl Log {
    /// A log that continues after record `newest`.
    pub(crate) fn after(head: HomeHead, etag: Etag, (newest, version): (u64, HomeVersion)) -> Self {
        Self {
            head,
            etag,
            next: newest + 1,
            bars: BTreeSet::new(),
            n_bytes: 0,
            version,
            garbage: Vec::new(),
            stopped: None,
            is_lost: false,
            published: Vec::new(),
        }
    }

    /// Rejects further writes after a failure, because the content of the bucket is then unknown.
    pub(crate) fn stop_on_failure<T>(
        &mut self,
        outcome: Result<T, HomesError>,
    ) -> Result<T, HomesError> {
        outcome.inspect_err(|error| self.stopped = Some(error.to_string()))
    }
}

impl HeldHome {
    pub(crate) fn tree(&self) -> MutexGuard<'_, HomeTree> {
        base::locked(&self.tree)
    }

    pub(crate) fn log(&self) -> MutexGuard<'_, Log> {
        base::locked(&self.log)
    }

    pub(crate) fn lease(&self) -> MutexGuard<'_, Option<Lease>> {
        base::locked(&self.lease)
    }

    /// Sets the end of the lease to `time` from now; zero releases it.
    pub(crate) fn extend(&self, time: Duration) -> Result<(), HomesError> {
        let requests = &self.objects.requests;
        let mut lease = self.lease();
        let Some(held) = lease.as_ref().filter(|it| !it.is_given_back) else {
            return Ok(());
        };
        *lease = Some(lease::extend(requests, &*self.clock, (held, time))?);
        Ok(())
    }

    /// Appends the changes that `changes` takes from the tree, as one record.
    pub(crate) fn write(
        &self,
        changes: impl FnOnce(&mut HomeTree, &mut Vec<u8>) -> Vec<LogChange>,
    ) -> Result<(), HomesError> {
        let mut log = self.log();
        self.check_going(&log)?;
        let mut added = Vec::new();
        let changes = changes(&mut self.tree(), &mut added);
        if changes.is_empty() {
            return Ok(());
        }
        let record = Record {
            epoch: log.head.epoch,
            changes,
        };
        let version = self.version_after(&log, &record, &added)?;
        let created = self.objects.create_record(log.next, &record, &added);
        let other = log.stop_on_failure(created)?;
        if other.is_some() {
            return Err(self.lose(&mut log));
        }
        log.next += 1;
        log.version = version;
        log.n_bytes += added.len() as u64;
        let is_long = log.next - log.head.folded > RECORDS_MAX || log.n_bytes > RECORD_BYTES_MAX;
        if is_long {
            // The record is durable, so this call succeeds even if the fold fails. The next write reports that
            // failure.
            self.fold(&mut log).unwrap_or_default();
        }
        Ok(())
    }

    fn version_after(
        &self,
        log: &Log,
        record: &Record,
        added: &[u8],
    ) -> Result<HomeVersion, HomesError> {
        let key = record_key(self.objects.home(), log.next);
        let version = version_after(&log.version, record, added);
        version.map_err(|flaw| self.objects.damaged(&key, flaw))
    }

    pub(crate) fn lose(&self, log: &mut Log) -> HomesError {
        log.is_lost = true;
        lease::lost(&self.objects.requests)
    }

    pub(crate) fn check_going(&self, log: &Log) -> Result<(), HomesError> {
        if log.is_lost {
            return Err(lease::lost(&self.objects.requests));
        }
        match &log.stopped {
            Some(reason) => Err(HomesError::Stopped {
                home: self.objects.home().clone(),
                reason: reason.clone(),
            }),
            None => Ok(()),
        }
    }
}

/// State of a home according to its head and log.
pub(crate) struct ReadHome {
    pub(crate) tree: HomeTree,
    /// The number of the last record.
    pub(crate) newest: u64,
    pub(crate) version: HomeVersion,
    /// Numbers of the bars after the head.
    pub(crate) bars: BTreeSet<u64>,
    /// Highest epoch among the records after the head.
    last_epoch: u64,
}

/// How often a home is read again because its holder folded the log meanwhile.
pub(crate) const REREADS_MAX: usize = 3;

/// Reads a home without a lease.
pub(crate) fn read_unleased(objects: &Objects) -> Result<(HomeHead, Etag, ReadHome), HomesError> {
    let mut n_rereads = 0;
    loop {
        let (head, etag) = objects.existing_head()?;
        match read_home(objects, &head) {
            // If the holder folded the log meanwhile, a record may be missing.
            Err(HomesError::Damaged { .. }) if n_rereads < REREADS_MAX => n_rereads += 1,
            read => return Ok((head, etag, read?)),
        }
    }
}

pub(crate) fn read_home(objects: &Objects, head: &HomeHead) -> Result<ReadHome, HomesError> {
    let mut read = ReadHome {
        tree: HomeTree::of(head),
        newest: head.folded,
        version: head.version(),
        bars: BTreeSet::new(),
        last_epoch: 0,
    };
    let numbers = objects.record_numbers(head.folded)?;
    for found in objects.records(&numbers)? {
        read.apply(objects, &found)?;
    }
    read.tree.set_logged();
    Ok(read)
}

impl ReadHome {
    /// Applies the next record.
    fn apply(&mut self, objects: &Objects, found: &Logged) -> Result<(), HomesError> {
        let Logged {
            number,
            record,
            added,
        } = found;
        let damaged = |flaw| objects.damaged(&record_key(objects.home(), *number), flaw);
        let applied = self.tree.apply(&record.changes, added);
        applied.map_err(damaged)?;
        self.newest = *number;
        self.last_epoch = self.last_epoch.max(record.epoch);
        if record.changes.is_empty() {
            self.bars.insert(*number);
        } else {
            let version = version_after(&self.version, record, added);
            self.version = version.map_err(damaged)?;
        }
        Ok(())
    }
}

/// Takes a home over. Once this returns, no earlier holder can write.
///
/// First swaps in a head with this epoch, so that no earlier holder can swap the head. Then appends a bar, unless all
/// earlier holders released the home, so that none of them can append. Applies records that an earlier holder wrote
/// in between.
pub(crate) fn take_over(
    objects: &Objects,
    lease: &mut Lease,
) -> Result<(HomeTree, Log), HomesError> {
    let epoch = lease.record.epoch;
    let lost = || lease::lost(&objects.requests);
    let (head, etag) = loop {
        let (found, etag) = objects.head_unless_new()?.unzip();
        let found = found.unwrap_or_else(|| HomeHead {
            home_id: Uuid::now_v7().to_string(),
            ..HomeHead::default()
        });
        if found.epoch >= epoch {
            // The lease was restored or recreated, so nothing is known about the holder with the higher epoch.
            lease.is_fenced = false;
            return Err(lost());
        }
        let head = HomeHead { epoch, ..found };
        if let Some(etag) = objects.swap_head(&head, etag.as_ref())? {
            break (head, etag);
        }
    };
    let read = read_home(objects, &head);
    let is_overtaken = match &read {
        Ok(read) => read.last_epoch >= epoch,
        // A later holder may have folded records that this head lacks.
        Err(_) => objects.head()?.is_some_and(|(it, _)| it.epoch > epoch),
    };
    // A later holder may have folded and removed its records, but never its bar.
    if is_overtaken {
        lease.is_fenced = false;
        return Err(lost());
    }
    let mut read = read?;
    if !lease.is_fenced {
        bar(objects, &mut read, epoch)?;
        lease.is_fenced = true;
    }
    let log = Log {
        bars: read.bars,
        ..Log::after(head, etag, (read.newest, read.version))
    };
    Ok((read.tree, log))
}

/// Appends a bar of this epoch.
fn bar(objects: &Objects, read: &mut ReadHome, epoch: u64) -> Result<(), HomesError> {
    let bar = Record {
        epoch,
        changes: Vec::new(),
    };
    while let Some(found) = objects.create_record(read.newest + 1, &bar, &[])? {
        if found.record.epoch >= epoch {
            return Err(lease::lost(&objects.requests));
        }
        read.apply(objects, &found)?;
        read.tree.set_logged();
    }
    read.newest += 1;
    read.bars.insert(read.newest);
    Ok(())
}
