//! Inspects a home in a bucket: its holder, and whether every byte matches its hash.
//!
//! Changes nothing.

use std::collections::{BTreeMap, BTreeSet};

use chrono::SecondsFormat;
use serde::Serialize;

use super::head::{HomeHead, head_key, object_key};
use super::home_key::Absent;
use super::homes::BucketHomes;
use super::lease;
use super::leased::{REREADS_MAX, ReadHome, read_home, read_unleased};
use super::objects::Objects;
use super::tree::content;
use crate::{HomeName, HomesError};

/// Size and holder of a home.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HomeSummary {
    pub name: String,
    /// Number of files.
    pub files: usize,
    /// Total length of the files in bytes.
    pub bytes: u64,
    /// Number of changes so far.
    pub version: u64,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub encrypted: bool,
    /// Current holder of the lease or, for a folder, of a lock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holder: Option<String>,
    /// End of the lease (RFC 3339), unless it is renewed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held_until: Option<String>,
    /// The reason why the home could not be read; the numbers are then zero.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

impl HomeSummary {
    /// A home that could not be read.
    pub fn unread(home: &HomeName, problem: String) -> Self {
        Self {
            name: home.to_string(),
            problem: Some(problem),
            ..Self::default()
        }
    }
}

/// Result of checking a home.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Verification {
    /// Name of the home.
    pub name: String,
    /// Number of objects and records read.
    pub objects: usize,
    /// Bytes read from them.
    pub bytes: u64,
    /// Damaged objects.
    pub damaged: Vec<DamagedObject>,
    /// Keys of unreferenced objects, left by a worker that died.
    pub unused: Vec<String>,
}

/// An object that is missing or does not match its hash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DamagedObject {
    pub key: String,
    /// The cause.
    pub reason: String,
    /// Files of which a part is in it.
    pub files: Vec<String>,
}

/// The size, time and etag of each object, by name, when the object was last found to be intact.
pub type SeenObjects = BTreeMap<String, String>;

impl BucketHomes {
    /// Summarises a home without reading its files. If the key does not open the home, the summary only shows that it
    /// exists. A home in clear text needs no key.
    pub fn summary(&self, home: &HomeName) -> Result<HomeSummary, HomesError> {
        match self.known_summary(home) {
            Err(HomesError::Encrypted(_) | HomesError::WrongKey { .. }) => {
                let problem = "encrypted with a key that was not given".to_owned();
                Ok(HomeSummary {
                    encrypted: true,
                    ..HomeSummary::unread(home, problem)
                })
            }
            Err(HomesError::NotEncrypted(_)) => {
                self.clone().encrypted_with(None).known_summary(home)
            }
            told => told,
        }
    }

    fn known_summary(&self, home: &HomeName) -> Result<HomeSummary, HomesError> {
        let objects = self.objects(home, Absent::Missing)?;
        let (_, _, ReadHome { tree, version, .. }) = read_unleased(&objects)?;
        let holder = lease::holder(&objects.requests, &*self.clock)?;
        let until = |it: &lease::LeaseRecord| it.until.to_rfc3339_opts(SecondsFormat::Secs, true);
        Ok(HomeSummary {
            name: home.to_string(),
            files: tree.files.len(),
            bytes: tree.files.values().map(|inode| content(inode).len()).sum(),
            version: version.number,
            encrypted: objects.requests.key.is_some(),
            held_until: holder.as_ref().map(until),
            holder: holder.map(|it| it.holder),
            problem: None,
        })
    }

    /// Reads every object and record of a home and checks its hash.
    ///
    /// # Errors
    ///
    /// [`HomesError`] if the home cannot be read at all; damage is part of the result.
    pub fn verify(&self, home: &HomeName) -> Result<Verification, HomesError> {
        let etag = || Ok::<_, HomesError>(self.requests.read(&head_key(home))?.map(|(_, it)| it));
        let mut before = etag()?;
        let mut found = self.verify_once(home)?;
        for _ in 0..REREADS_MAX {
            let after = etag()?;
            // If the head has changed, its holder may have removed objects that the old head named, so the check runs
            // again.
            if found.damaged.is_empty() || after == before {
                break;
            }
            before = after;
            found = self.verify_once(home)?;
        }
        Ok(found)
    }

    /// Checks that the files of a home are intact in the bucket. Returns the listing data of each object that they
    /// use, and the first damage. An object with the same data in `seen` is not read again. Drops cached copies of
    /// damaged objects, so that they are not mistaken for the stored ones.
    ///
    /// # Errors
    ///
    /// [`HomesError`] if the home cannot be read at all.
    pub fn check_files(
        &self,
        home: &HomeName,
        seen: &SeenObjects,
    ) -> Result<(SeenObjects, Option<HomesError>), HomesError> {
        let objects = self.objects(home, Absent::Missing)?;
        let (head, _) = objects.existing_head()?;
        let directory = format!("{}/objects", home.key());
        let looks = self.requests.looks(&directory)?;
        let (mut now, mut damage) = (SeenObjects::new(), None);
        let parts = head.files.values().flat_map(|file| &file.parts);
        let named: BTreeSet<&str> = parts.map(|part| part.object.as_str()).collect();
        for object in named {
            let look = looks.get(&object_key(home, object));
            if look.is_none() || look != seen.get(object) {
                match objects.fetch(object) {
                    Ok(_) => {}
                    Err(error @ HomesError::Damaged { .. }) => {
                        objects.cache.drop_object(&home.key(), object)?;
                        damage.get_or_insert(error);
                        continue;
                    }
                    Err(error) => return Err(error),
                }
            }
            now.extend(look.map(|look| (object.to_owned(), look.clone())));
        }
        Ok((now, damage))
    }

    fn verify_once(&self, home: &HomeName) -> Result<Verification, HomesError> {
        let mut found = Verification {
            name: home.to_string(),
            objects: 0,
            bytes: 0,
            damaged: Vec::new(),
            unused: Vec::new(),
        };
        let objects = match self.objects(home, Absent::Missing) {
            Ok(objects) => objects,
            Err(error) => {
                found.add(error, Vec::new())?;
                return Ok(found);
            }
        };
        if let Err(error) = lease::holder(&objects.requests, &*self.clock) {
            found.add(error, Vec::new())?;
        }
        let head = match objects.existing_head() {
            Ok((head, _)) => head,
            Err(error) => {
                found.add(error, Vec::new())?;
                return Ok(found);
            }
        };
        // Records after the head can reference objects too, so unused objects are reported only if all records are
        // intact.
        let is_whole = match objects.record_numbers(head.folded) {
            Ok(numbers) => {
                let mut is_whole = true;
                for number in numbers {
                    found.objects += 1;
                    match objects.records(&[number]) {
                        Ok(records) => {
                            let n_added = records.iter().map(|it| it.added.len() as u64);
                            found.bytes += n_added.sum::<u64>();
                        }
                        Err(error) => {
                            is_whole = false;
                            found.add(error, Vec::new())?;
                        }
                    }
                }
                is_whole
            }
            Err(error) => {
                found.add(error, Vec::new())?;
                false
            }
        };
        found.add_objects(&objects, &head)?;
        // Even intact records may not fit the head.
        if is_whole && let Err(error) = read_home(&objects, &head) {
            found.add(error, Vec::new())?;
        }
        if is_whole {
            found.unused = self.unused(home, &head)?;
        }
        Ok(found)
    }

    /// Keys of objects that the head does not reference.
    fn unused(&self, home: &HomeName, head: &HomeHead) -> Result<Vec<String>, HomesError> {
        let known: BTreeSet<String> = head
            .objects
            .keys()
            .map(|object| object_key(home, object))
            .collect();
        let listed = self
            .requests
            .list(&format!("{}/objects", home.key()), None)?;
        let keys = listed.into_iter().map(|(key, _)| key);
        Ok(keys.filter(|key| !known.contains(key)).collect())
    }
}

/// Whether the object with this key cannot be restored by a push. Without its head, its key or a record, a home does
/// not open.
pub fn is_beyond_repair(key: &str) -> bool {
    key.ends_with("/head") || key.ends_with("/key") || key.contains("/log/")
}

impl Verification {
    /// Reads each object, and compares it with the parts of files that are in it.
    fn add_objects(&mut self, objects: &Objects, head: &HomeHead) -> Result<(), HomesError> {
        let ends = ends_in_objects(head);
        for (object, files) in files_by_object(head) {
            match objects.fetch(object) {
                Ok(bytes) => {
                    let n_bytes = bytes.len() as u64;
                    self.objects += 1;
                    self.bytes += n_bytes;
                    if ends.get(object).is_some_and(|end| *end > n_bytes) {
                        self.add(objects.shorter(object), files)?;
                    }
                }
                Err(error) => self.add(error, files)?,
            }
        }
        Ok(())
    }

    /// Records damage; any other error ends the check.
    fn add(&mut self, error: HomesError, files: Vec<String>) -> Result<(), HomesError> {
        if let HomesError::Damaged { key, reason, .. } = error {
            self.damaged.push(DamagedObject { key, reason, files });
            Ok(())
        } else {
            Err(error)
        }
    }
}

/// The end of the last part in each object, in bytes.
fn ends_in_objects(head: &HomeHead) -> BTreeMap<&str, u64> {
    let mut ends: BTreeMap<&str, u64> = BTreeMap::new();
    let files = head.files.values().chain(head.derived.values());
    for part in files.flat_map(|file| &file.parts) {
        let end = ends.entry(&part.object).or_default();
        *end = (*end).max(part.at.saturating_add(part.len));
    }
    ends
}

fn files_by_object(head: &HomeHead) -> BTreeMap<&str, Vec<String>> {
    let mut files: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (path, line) in head.files.iter().chain(&head.derived) {
        for part in &line.parts {
            let all = files.entry(&part.object).or_default();
            if all.last() != Some(path) {
                all.push(path.clone());
            }
        }
    }
    files
}
