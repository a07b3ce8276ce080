//! The head of a home: a small object, swapped by etag, that lists the object parts of each file.
//!
//! Pure: encodes and decodes heads.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::objects::OBJECT_BYTES_MAX;
use super::record::{Flaw, disclose};
use crate::{HomeName, HomeVersion, HomesError};

/// The format that this program writes; it rejects newer ones.
pub(crate) const FORMAT: u32 = 1;

/// State of a home up to record `folded`; later records apply on top of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HomeHead {
    pub(crate) format: u32,
    /// Epoch of the lease under which the head was written.
    pub(crate) epoch: u64,
    /// Number of the last record that the head covers.
    pub(crate) folded: u64,
    /// Number of changes of `files` and `directories` so far.
    pub(crate) version: u64,
    /// See [`HomeVersion::home_id`]; empty in heads of earlier versions of this program.
    #[serde(default)]
    pub(crate) home_id: String,
    /// See [`HomeVersion::history`]; empty in heads of earlier versions of this program.
    #[serde(default)]
    pub(crate) history: String,
    /// Files by path relative to the home, without those in derived directories.
    pub(crate) files: BTreeMap<String, FileParts>,
    pub(crate) directories: BTreeSet<String>,
    /// Files of published directories, by path relative to the home.
    pub(crate) derived: BTreeMap<String, FileParts>,
    /// Size of each object in bytes.
    pub(crate) objects: BTreeMap<String, u64>,
}

impl Default for HomeHead {
    fn default() -> Self {
        Self {
            format: FORMAT,
            epoch: 0,
            folded: 0,
            version: 0,
            home_id: String::new(),
            history: String::new(),
            files: BTreeMap::new(),
            directories: BTreeSet::new(),
            derived: BTreeMap::new(),
            objects: BTreeMap::new(),
        }
    }
}

/// A file as a sequence of object parts.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FileParts {
    pub(crate) parts: Vec<ObjectPart>,
    /// Modification time in microseconds since 1970.
    pub(crate) modified_at: i64,
}

/// A range of bytes of an object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ObjectPart {
    pub(crate) object: String,
    pub(crate) at: u64,
    pub(crate) len: u64,
}

pub(crate) fn len_of(parts: &[ObjectPart]) -> u64 {
    parts.iter().map(|part| part.len).sum()
}

/// Whether a relative path stays below its base. The check is needed because paths from a bucket are not trusted.
fn is_inside(path: &str) -> bool {
    let is_name = |part: &str| !matches!(part, "" | "." | "..") && !part.contains('\0');
    path.split('/').all(is_name)
}

/// Rejects a path that leads out of the home.
pub(crate) fn check_path(path: &str) -> Result<(), Flaw> {
    if is_inside(path) {
        return Ok(());
    }
    Err(format!("{path:?} is not a path in a home"))
}

/// Rejects parts that exceed the maximum object size, or whose object name is invalid.
pub(crate) fn check_parts(parts: &[ObjectPart]) -> Result<(), Flaw> {
    for part in parts {
        check_object(&part.object)?;
        let end = part.at.checked_add(part.len);
        if end.is_none_or(|end| end > OBJECT_BYTES_MAX as u64) {
            return Err(format!("a part of {} is too long", part.object));
        }
    }
    Ok(())
}

/// Rejects any object name but an epoch and a hash, in hex.
fn check_object(object: &str) -> Result<(), Flaw> {
    let is_hex = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
    match object.split_once('-') {
        Some((epoch, hash))
            if epoch.len() == 16 && hash.len() == 64 && is_hex(epoch) && is_hex(hash) =>
        {
            Ok(())
        }
        _ => Err(format!("{object:?} is not an object name")),
    }
}

pub(crate) fn head_key(home: &HomeName) -> String {
    format!("{}/head", home.key())
}

pub(crate) fn object_key(home: &HomeName, object: &str) -> String {
    format!("{}/objects/{object}", home.key())
}

/// The number is zero-padded, so that keys sort by number.
pub(crate) fn record_key(home: &HomeName, number: u64) -> String {
    format!("{}/log/{number:020}", home.key())
}

impl HomeHead {
    /// Decodes a head.
    ///
    /// # Errors
    ///
    /// [`HomesError::TooNew`] and [`HomesError::Damaged`].
    pub(crate) fn decode(home: &HomeName, bytes: &[u8]) -> Result<Self, HomesError> {
        /// The field that all formats share.
        #[derive(Deserialize)]
        struct Any {
            format: u32,
        }
        let damaged = |reason| HomesError::Damaged {
            home: home.clone(),
            key: head_key(home),
            reason,
        };
        let (any, _): (Any, _) = disclose(bytes).map_err(damaged)?;
        if any.format > FORMAT {
            return Err(HomesError::TooNew {
                home: home.clone(),
                found: any.format,
                known: FORMAT,
            });
        }
        let (head, _): (Self, _) = disclose(bytes).map_err(damaged)?;
        head.check().map_err(damaged)?;
        Ok(head)
    }

    /// Checks every value that becomes a local path or the size of an allocation, because the bucket is not trusted.
    fn check(&self) -> Result<(), Flaw> {
        let files = self.files.iter().chain(&self.derived);
        for (path, line) in files {
            check_path(path)?;
            check_parts(&line.parts)?;
        }
        self.directories
            .iter()
            .try_for_each(|path| check_path(path))?;
        self.objects
            .keys()
            .try_for_each(|object| check_object(object))
    }

    /// The version of the home up to record `folded`.
    pub(crate) fn version(&self) -> HomeVersion {
        HomeVersion {
            home_id: self.home_id.clone(),
            number: self.version,
            history: self.history.clone(),
        }
    }

    /// Number of bytes in use in each referenced object.
    pub(crate) fn used(&self) -> BTreeMap<&str, u64> {
        let mut used = BTreeMap::new();
        let files = self.files.values().chain(self.derived.values());
        for part in files.flat_map(|file| &file.parts) {
            *used.entry(part.object.as_str()).or_default() += part.len;
        }
        used
    }
}
