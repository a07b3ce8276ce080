//! The content of `MEMORY.md` before each change of ours, so that the change can be undone byte for byte.
//!
//! Bounded by count and age; never changes `MEMORY.md` itself.

use std::path::{Path, PathBuf};

use base::disk::{DiskError, read_all, remove, replace};
use base::{Day, Disk, Timestamp, content_hash};
use serde::{Deserialize, Serialize};

/// Size limit of `MEMORY.md` in bytes.
pub(super) const MEMORY_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// Maximum number of preimages kept.
const PREIMAGES_MAX: usize = 100;

/// Maximum age of a preimage in days.
const DAYS_MAX: i64 = 180;

/// Size limit of the head of a preimage in bytes.
const HEAD_BYTES_MAX: u64 = 1024 * 1024;

/// The id of a change; ids sort by age.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChangeId(pub u64);

/// The content of `MEMORY.md` before a change, and the description of that change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preimage {
    /// The id of the change.
    pub id: ChangeId,
    /// When it was made.
    pub at: Timestamp,
    /// Its cause, in a few words.
    pub cause: String,
    /// The ids of the candidates involved.
    pub candidates: Vec<String>,
    /// The content before the change.
    pub before: ContentBefore,
    /// The hash of the content after the change.
    pub after_hash: String,
}

/// The content of a file before a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ContentBefore {
    /// The file did not exist.
    Nothing,
    /// These bytes.
    Bytes(Vec<u8>),
    /// Dropped, because words of it were redacted.
    Redacted,
}

impl ContentBefore {
    /// The bytes to restore; `None` if there was no file or the content was dropped.
    pub fn bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Bytes(bytes) => Some(bytes),
            Self::Nothing | Self::Redacted => None,
        }
    }
}

/// The first line of a preimage file, as JSON; the old content follows it unchanged.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct PreimageHead {
    version: u32,
    at: String,
    cause: String,
    candidates: Vec<String>,
    existed: bool,
    after_hash: String,
    /// Whether the content was dropped; since version 2.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    redacted: bool,
}

/// Stands for the text that a cause quoted.
const CAUSE_REDACTED: &str = "[redacted]";

/// The newest version that this program reads; written only for redacted preimages.
const VERSION: u32 = 2;

/// The version that older programs can undo too.
const VERSION_WHOLE: u32 = 1;

/// The directory of preimages.
#[derive(Debug, Clone)]
pub struct Preimages<'d> {
    pub(super) disk: &'d dyn Disk,
    pub(super) directory: PathBuf,
}

impl Preimages<'_> {
    /// The ids of all recorded changes, oldest first.
    pub fn ids(&self) -> Result<Vec<ChangeId>, DiskError> {
        let names = self.disk.list(&self.directory)?;
        let mut ids: Vec<ChangeId> = names.iter().filter_map(|name| id_of(name)).collect();
        ids.sort_unstable();
        Ok(ids)
    }

    /// Reads a preimage; `None` if it is damaged or has a newer version.
    pub fn read(&self, id: ChangeId) -> Result<Option<Preimage>, DiskError> {
        let limit = MEMORY_BYTES_MAX + HEAD_BYTES_MAX;
        let bytes = read_all(self.disk, &self.path(id), limit)?;
        let Some(end) = bytes.iter().position(|byte| *byte == b'\n') else {
            return Ok(None);
        };
        let (head, rest) = bytes.split_at(end);
        let Ok(head) = serde_json::from_slice::<PreimageHead>(head) else {
            return Ok(None);
        };
        let Some(at) = head.at.parse().ok().filter(|_| head.version <= VERSION) else {
            return Ok(None);
        };
        let bytes = rest.get(1..).unwrap_or_default().to_vec();
        let before = match (head.redacted, head.existed) {
            (true, _) => ContentBefore::Redacted,
            (false, true) => ContentBefore::Bytes(bytes),
            (false, false) => ContentBefore::Nothing,
        };
        Ok(Some(Preimage {
            id,
            at,
            cause: head.cause,
            candidates: head.candidates,
            before,
            after_hash: head.after_hash,
        }))
    }

    /// Writes a preimage. Idempotent: the file name follows from the id.
    pub(super) fn keep(&self, preimage: &Preimage) -> Result<(), DiskError> {
        let redacted = preimage.before == ContentBefore::Redacted;
        let head = PreimageHead {
            version: if redacted { VERSION } else { VERSION_WHOLE },
            at: preimage.at.to_rfc3339(),
            cause: preimage.cause.clone(),
            candidates: preimage.candidates.clone(),
            existed: preimage.before != ContentBefore::Nothing,
            after_hash: preimage.after_hash.clone(),
            redacted,
        };
        // Strings and bools always serialize.
        let mut bytes = serde_json::to_vec(&head).unwrap_or_default();
        bytes.push(b'\n');
        bytes.extend_from_slice(preimage.before.bytes().unwrap_or_default());
        replace(self.disk, &self.path(preimage.id), &bytes)
    }

    /// Drops the content of a preimage and keeps its head, without a text that its cause quotes.
    pub(crate) fn redact(&self, preimage: Preimage) -> Result<(), DiskError> {
        let cause = match preimage.cause.split_once(": ") {
            Some((what, _)) => format!("{what}: {CAUSE_REDACTED}"),
            None => preimage.cause,
        };
        self.keep(&Preimage {
            cause,
            before: ContentBefore::Redacted,
            ..preimage
        })
    }

    /// Deletes a preimage.
    pub(super) fn drop_one(&self, id: ChangeId) -> Result<(), DiskError> {
        remove(self.disk, &self.path(id))
    }

    /// Deletes preimages above the limits of count and age, except for the newest.
    pub(super) fn trim(&self, today: Day) -> Result<(), DiskError> {
        let ids = self.ids()?;
        let n_over = ids.len().saturating_sub(PREIMAGES_MAX);
        for (position, id) in ids.iter().enumerate() {
            if position + 1 == ids.len() {
                break;
            }
            let is_old = match self.read(*id)? {
                Some(preimage) => (today.date() - preimage.at.date_naive()).num_days() > DAYS_MAX,
                None => false,
            };
            if position < n_over || is_old {
                self.drop_one(*id)?;
            } else {
                break;
            }
        }
        Ok(())
    }

    fn path(&self, id: ChangeId) -> PathBuf {
        self.directory.join(format!("{:08}.md", id.0))
    }
}

fn id_of(name: &Path) -> Option<ChangeId> {
    let number = name.to_str()?.strip_suffix(".md")?.parse().ok()?;
    Some(ChangeId(number))
}

/// The content hash; a missing file hashes like an empty one.
pub(super) fn hash(content: Option<&[u8]>) -> String {
    content_hash(content.unwrap_or_default())
}
