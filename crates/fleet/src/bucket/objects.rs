//! Reads and writes the objects of one home: head, log records and immutable data objects, through the cache.
//!
//! Never returns an object whose hash does not match.

use std::sync::Arc;

use base::disk::ReadAt;

use super::cache::Cache;
use super::head::{HomeHead, ObjectPart, head_key, object_key, record_key};
use super::home_requests::HomeRequests;
use super::record::{Record, enclose};
use super::requests::{Etag, Written};
use crate::{HomeName, HomesError};

/// Maximum size of a data object in bytes. It is small, so that a short read fetches only a little of a home.
pub(crate) const OBJECT_BYTES_MAX: usize = 4 * 1024 * 1024;

#[derive(Debug, Clone)]
pub(crate) struct Objects {
    pub(crate) requests: HomeRequests,
    pub(crate) cache: Arc<Cache>,
}

/// A record with its number and the bytes that it adds.
#[derive(Debug)]
pub(crate) struct Logged {
    pub(crate) number: u64,
    pub(crate) record: Record,
    pub(crate) added: Vec<u8>,
}

impl Objects {
    pub(crate) fn home(&self) -> &HomeName {
        &self.requests.home
    }

    pub(crate) fn head(&self) -> Result<Option<(HomeHead, Etag)>, HomesError> {
        let Some((bytes, etag)) = self.requests.read(&head_key(self.home()))? else {
            return Ok(None);
        };
        Ok(Some((HomeHead::decode(self.home(), &bytes)?, etag)))
    }

    /// The head of a home; fails if the home does not exist.
    pub(crate) fn existing_head(&self) -> Result<(HomeHead, Etag), HomesError> {
        let found = self.head_unless_new()?;
        found.ok_or_else(|| HomesError::Missing(self.home().clone()))
    }

    /// The head of a home; `None` if there is neither a head nor a log.
    pub(crate) fn head_unless_new(&self) -> Result<Option<(HomeHead, Etag)>, HomesError> {
        if let Some(found) = self.head()? {
            return Ok(Some(found));
        }
        let log = format!("{}/log", self.home().key());
        if self.requests.requests.list(&log, None)?.is_empty() {
            return Ok(None);
        }
        // Another process may have created the home meanwhile.
        let found = self.head()?;
        let lost = || self.damaged(&head_key(self.home()), "it is missing".to_owned());
        found.map(Some).ok_or_else(lost)
    }

    /// Swaps the head if it has this etag; returns `None` if another process swapped it first.
    pub(crate) fn swap_head(
        &self,
        head: &HomeHead,
        etag: Option<&Etag>,
    ) -> Result<Option<Etag>, HomesError> {
        let key = head_key(self.home());
        let bytes = enclose(head, &[]).map_err(|flaw| self.damaged(&key, flaw))?;
        match self.requests.swap(&key, bytes, etag)? {
            Written::Done(etag) => Ok(Some(etag)),
            // If only the response to this program's own write was lost, the stored head is the one that was written.
            Written::Refused => Ok(self
                .head()?
                .filter(|(found, _)| found == head)
                .map(|(_, etag)| etag)),
        }
    }

    /// Creates a record. Returns the stored record if another one already has this number.
    pub(crate) fn create_record(
        &self,
        number: u64,
        record: &Record,
        added: &[u8],
    ) -> Result<Option<Logged>, HomesError> {
        let key = record_key(self.home(), number);
        let bytes = enclose(record, added).map_err(|flaw| self.damaged(&key, flaw))?;
        match self.requests.swap(&key, bytes, None)? {
            Written::Done(_) => Ok(None),
            Written::Refused => {
                let found = self.records(&[number])?.pop();
                // If only the response was lost, the stored record is the one that was written, because no other
                // holder has this epoch.
                Ok(found.filter(|it| it.record != *record || it.added != added))
            }
        }
    }

    /// The numbers of the records after `folded`, sorted.
    ///
    /// # Errors
    ///
    /// [`HomesError::Damaged`] if there is a gap.
    pub(crate) fn record_numbers(&self, folded: u64) -> Result<Vec<u64>, HomesError> {
        // A listing during an append by another process may contain only the later of two records.
        match self.listed_numbers(folded) {
            Err(HomesError::Damaged { .. }) => self.listed_numbers(folded),
            numbers => numbers,
        }
    }

    fn listed_numbers(&self, folded: u64) -> Result<Vec<u64>, HomesError> {
        let directory = format!("{}/log", self.home().key());
        let after = record_key(self.home(), folded);
        let listed = self.requests.requests.list(&directory, Some(&after))?;
        let mut numbers = Vec::new();
        for (expected, (key, _)) in (folded + 1..).zip(listed) {
            let number = key.rsplit('/').next().and_then(|it| it.parse::<u64>().ok());
            if number != Some(expected) {
                let missing = record_key(self.home(), expected);
                return Err(self.damaged(
                    &missing,
                    "it is missing, but later records exist".to_owned(),
                ));
            }
            numbers.push(expected);
        }
        Ok(numbers)
    }

    pub(crate) fn records(&self, numbers: &[u64]) -> Result<Vec<Logged>, HomesError> {
        let keys: Vec<String> = numbers
            .iter()
            .map(|number| record_key(self.home(), *number))
            .collect();
        let read = self.requests.read_each(&keys)?;
        let mut records = Vec::new();
        for ((number, key), bytes) in numbers.iter().zip(&keys).zip(read) {
            let bytes = bytes.ok_or_else(|| self.damaged(key, "it is missing".to_owned()))?;
            let (record, added) = Record::decode(&bytes).map_err(|flaw| self.damaged(key, flaw))?;
            records.push(Logged {
                number: *number,
                record,
                added: added.to_vec(),
            });
        }
        Ok(records)
    }

    /// Stores bytes as an object of this epoch and returns its name.
    ///
    /// The name begins with the epoch, so that an earlier holder never deletes an object that a later holder stored.
    pub(crate) fn store(&self, epoch: u64, bytes: &[u8]) -> Result<String, HomesError> {
        let object = format!("{epoch:016x}-{}", self.requests.hash(bytes));
        // If the bucket refuses this, the object exists. Its name is its hash, so the bytes are the same.
        let key = object_key(self.home(), &object);
        self.requests.swap(&key, bytes.to_vec(), None)?;
        self.cache.put(&self.home().key(), &object, bytes)?;
        Ok(object)
    }

    /// Opens an object; fetches it from the bucket if it is not cached.
    pub(crate) fn open(&self, object: &str) -> Result<Box<dyn ReadAt>, HomesError> {
        let home = self.home().key();
        let is_whole = |bytes: &[u8]| self.is_named(object, bytes);
        if let Some(found) = self.cache.open(&home, object, &is_whole)? {
            return Ok(found);
        }
        let bytes = self.fetch(object)?;
        self.cache.put(&home, object, &bytes)?;
        match self.cache.open(&home, object, &is_whole)? {
            Some(found) => Ok(found),
            // The object does not fit into the cache.
            None => Ok(Box::new(bytes)),
        }
    }

    /// Fetches an object from the bucket and checks its hash.
    pub(crate) fn fetch(&self, object: &str) -> Result<Vec<u8>, HomesError> {
        Ok(self.fetched(&[object])?.pop().unwrap_or_default())
    }

    fn fetched(&self, objects: &[&str]) -> Result<Vec<Vec<u8>>, HomesError> {
        let keys = objects.iter().map(|object| object_key(self.home(), object));
        let keys: Vec<String> = keys.collect();
        let read = self.requests.read_each(&keys)?;
        let each = objects.iter().zip(&keys).zip(read);
        each.map(|((object, key), bytes)| {
            let bytes = bytes.ok_or_else(|| self.damaged(key, "it is missing".to_owned()))?;
            if self.is_named(object, &bytes) {
                return Ok(bytes);
            }
            Err(self.damaged(key, "its content does not match its hash".to_owned()))
        })
        .collect()
    }

    /// Fetches objects that are not cached, concurrently.
    pub(crate) fn fetch_each(&self, objects: &[&str]) -> Result<(), HomesError> {
        let home = self.home().key();
        let mut missing = Vec::new();
        for object in objects {
            let is_whole = |bytes: &[u8]| self.is_named(object, bytes);
            if self.cache.open(&home, object, &is_whole)?.is_none() {
                missing.push(*object);
            }
        }
        for (object, bytes) in missing.iter().zip(self.fetched(&missing)?) {
            self.cache.put(&home, object, &bytes)?;
        }
        Ok(())
    }

    /// Fills `buffer` with the bytes of a part, starting at `offset`.
    pub(crate) fn read_part(
        &self,
        part: &ObjectPart,
        offset: u64,
        buffer: &mut [u8],
    ) -> Result<(), HomesError> {
        let n_read = self.open(&part.object)?.read_at(part.at + offset, buffer)?;
        if n_read == buffer.len() {
            return Ok(());
        }
        Err(self.shorter(&part.object))
    }

    /// Reads parts and concatenates their bytes.
    pub(crate) fn read_parts(&self, parts: &[ObjectPart]) -> Result<Vec<u8>, HomesError> {
        let mut bytes = Vec::new();
        for part in parts {
            let mut buffer = vec![0; usize::try_from(part.len).unwrap_or(0)];
            self.read_part(part, 0, &mut buffer)?;
            bytes.append(&mut buffer);
        }
        Ok(bytes)
    }

    /// The error for an object that ends before one of its parts does.
    pub(crate) fn shorter(&self, object: &str) -> HomesError {
        let key = object_key(self.home(), object);
        self.damaged(&key, "it is shorter than the head says".to_owned())
    }

    pub(crate) fn damaged(&self, key: &str, reason: String) -> HomesError {
        self.requests.damaged(key, reason)
    }

    /// Whether the name of an object is the hash of these bytes.
    fn is_named(&self, object: &str, bytes: &[u8]) -> bool {
        let hash = object.split_once('-').map(|(_, hash)| hash);
        hash == Some(self.requests.hash(bytes).as_str())
    }
}
