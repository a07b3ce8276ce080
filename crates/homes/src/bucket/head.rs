//! The head of a home: one small object that says of what objects each file consists, swapped by its etag.
//!
//! Pure: turns heads into bytes and back.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::objects::OBJECT_BYTES_MAX;
use super::record::{Flaw, disclose, enclose};
use crate::layout::is_inside;
use crate::{HomeName, HomesError};

/// The format that this program writes; a greater one is refused.
pub(crate) const FORMAT: u32 = 1;

/// All that a home consists of, besides the records of the log after it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Head {
    pub(crate) format: u32,
    /// Of the lease under which it was written.
    pub(crate) epoch: u64,
    /// The last record of the log that it covers.
    pub(crate) folded: u64,
    /// Counts what changed in the ground: two readers that see the same number see the same bytes.
    pub(crate) version: u64,
    /// The ground, by path relative to the home.
    pub(crate) files: BTreeMap<String, FileLine>,
    pub(crate) directories: BTreeSet<String>,
    /// What was published, by path.
    pub(crate) derived: BTreeMap<String, FileLine>,
    /// The size of each object.
    pub(crate) objects: BTreeMap<String, u64>,
}

impl Default for Head {
    fn default() -> Self {
        Self {
            format: FORMAT,
            epoch: 0,
            folded: 0,
            version: 0,
            files: BTreeMap::new(),
            directories: BTreeSet::new(),
            derived: BTreeMap::new(),
            objects: BTreeMap::new(),
        }
    }
}

/// A file as objects that are joined on reading.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FileLine {
    pub(crate) parts: Vec<Part>,
    /// Microseconds since 1970.
    pub(crate) modified_at: i64,
}

/// Bytes of an object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Part {
    pub(crate) object: String,
    pub(crate) at: u64,
    pub(crate) len: u64,
}

impl FileLine {
    pub(crate) fn len(&self) -> u64 {
        len_of(&self.parts)
    }
}

pub(crate) fn len_of(parts: &[Part]) -> u64 {
    parts.iter().map(|part| part.len).sum()
}

/// Refuses a path that leads out of the home.
pub(crate) fn check_path(path: &str) -> Result<(), Flaw> {
    if is_inside(path) {
        return Ok(());
    }
    Err(format!("{path:?} is no path in a home"))
}

/// Refuses parts of which no object of ours consists.
pub(crate) fn check_parts(parts: &[Part]) -> Result<(), Flaw> {
    for part in parts {
        check_object(&part.object)?;
        let end = part.at.checked_add(part.len);
        if end.is_none_or(|end| end > OBJECT_BYTES_MAX as u64) {
            return Err(format!("a part of {} is too long", part.object));
        }
    }
    Ok(())
}

/// The name of an object: an epoch and a hash.
fn check_object(object: &str) -> Result<(), Flaw> {
    let is_hex = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
    match object.split_once('-') {
        Some((epoch, hash))
            if epoch.len() == 16 && hash.len() == 64 && is_hex(epoch) && is_hex(hash) =>
        {
            Ok(())
        }
        _ => Err(format!("{object:?} names no object")),
    }
}

pub(crate) fn head_key(home: &HomeName) -> String {
    format!("{}/head", home.key())
}

/// The key of an object of a home.
pub(crate) fn object_key(home: &HomeName, object: &str) -> String {
    format!("{}/objects/{object}", home.key())
}

/// The key of a record; keys sort as their numbers do.
pub(crate) fn record_key(home: &HomeName, number: u64) -> String {
    format!("{}/log/{number:020}", home.key())
}

impl Head {
    pub(crate) fn encode(&self) -> Result<Vec<u8>, Flaw> {
        enclose(self, &[])
    }

    /// # Errors
    ///
    /// [`HomesError::TooNew`] and [`HomesError::Damaged`].
    pub(crate) fn decode(home: &HomeName, bytes: &[u8]) -> Result<Self, HomesError> {
        /// What every format has.
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

    /// What a head names becomes paths of this machine and lengths of memory: nothing of it is believed.
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

    /// The objects that it names, each with how many of its bytes are used.
    pub(crate) fn used(&self) -> BTreeMap<&str, u64> {
        let mut used = BTreeMap::new();
        let files = self.files.values().chain(self.derived.values());
        for part in files.flat_map(|file| &file.parts) {
            *used.entry(part.object.as_str()).or_default() += part.len;
        }
        used
    }
}
