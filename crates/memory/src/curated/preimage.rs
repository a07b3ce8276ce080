//! What `MEMORY.md` held before each change of ours, so that it can be taken back to the byte.
//!
//! Bounded by count and age; never changes `MEMORY.md` itself.

use std::path::{Path, PathBuf};

use base::disk::{DiskError, read_all, remove, replace};
use base::{Day, Disk, Timestamp, content_hash};
use serde::{Deserialize, Serialize};

/// Longest `MEMORY.md` in bytes that is read.
pub(super) const MEMORY_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// More changes than this are not kept.
const PREIMAGES_MAX: usize = 100;

/// Older ones are not kept.
const DAYS_MAX: i64 = 180;

/// The head of a preimage is one line.
const HEAD_BYTES_MAX: u64 = 1024 * 1024;

/// Names a change; later ones sort behind earlier ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChangeId(pub u64);

/// A file as it was before a change, and what is known of that change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preimage {
    /// Names the change.
    pub id: ChangeId,
    /// When it was made.
    pub at: Timestamp,
    /// Why, in a few words.
    pub cause: String,
    /// The candidates that it was about.
    pub candidates: Vec<String>,
    /// What the file held before.
    pub before: Before,
    /// The hash of what it held afterwards.
    pub after_hash: String,
}

/// What a file held before a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Before {
    /// There was none.
    Nothing,
    /// These bytes.
    Bytes(Vec<u8>),
    /// Words that were redacted since, so that nothing is kept of it.
    Redacted,
}

impl Before {
    /// What an undo has to put there; `None` where there was no file, or nothing is kept.
    pub fn bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Bytes(bytes) => Some(bytes),
            Self::Nothing | Self::Redacted => None,
        }
    }
}

/// The first line of the file; the bytes from before follow it as they were.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Head {
    version: u32,
    at: String,
    cause: String,
    candidates: Vec<String>,
    existed: bool,
    after_hash: String,
    /// Whether nothing is kept of what the file held; in version 2 alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    redacted: bool,
}

/// The newest version that this program knows.
const VERSION: u32 = 2;

/// What everybody can take back.
const VERSION_WHOLE: u32 = 1;

/// Where the preimages lie.
#[derive(Debug, Clone)]
pub struct Preimages<'d> {
    pub(super) disk: &'d dyn Disk,
    pub(super) directory: PathBuf,
}

impl Preimages<'_> {
    /// The ids of the changes that are kept, oldest first.
    pub fn ids(&self) -> Result<Vec<ChangeId>, DiskError> {
        let names = self.disk.list(&self.directory)?;
        let mut ids: Vec<ChangeId> = names.iter().filter_map(|name| id_of(name)).collect();
        ids.sort_unstable();
        Ok(ids)
    }

    /// One of them; `None` where it is damaged or of a newer version.
    pub fn read(&self, id: ChangeId) -> Result<Option<Preimage>, DiskError> {
        let limit = MEMORY_BYTES_MAX + HEAD_BYTES_MAX;
        let bytes = read_all(self.disk, &self.path(id), limit)?;
        let Some(end) = bytes.iter().position(|byte| *byte == b'\n') else {
            return Ok(None);
        };
        let (head, rest) = bytes.split_at(end);
        let Ok(head) = serde_json::from_slice::<Head>(head) else {
            return Ok(None);
        };
        let Some(at) = head.at.parse().ok().filter(|_| head.version <= VERSION) else {
            return Ok(None);
        };
        let bytes = rest.get(1..).unwrap_or_default().to_vec();
        let before = match (head.redacted, head.existed) {
            (true, _) => Before::Redacted,
            (false, true) => Before::Bytes(bytes),
            (false, false) => Before::Nothing,
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

    /// Keeps one; a repeated call with the same change writes the same file.
    pub(super) fn keep(&self, preimage: &Preimage) -> Result<(), DiskError> {
        let redacted = preimage.before == Before::Redacted;
        let head = Head {
            version: if redacted { VERSION } else { VERSION_WHOLE },
            at: preimage.at.to_rfc3339(),
            cause: preimage.cause.clone(),
            candidates: preimage.candidates.clone(),
            existed: preimage.before != Before::Nothing,
            after_hash: preimage.after_hash.clone(),
            redacted,
        };
        // Plain texts and a date always have a form in JSON.
        let mut bytes = serde_json::to_vec(&head).unwrap_or_default();
        bytes.push(b'\n');
        bytes.extend_from_slice(preimage.before.bytes().unwrap_or_default());
        replace(self.disk, &self.path(preimage.id), &bytes)
    }

    /// Keeps of one nothing but that it was.
    pub(crate) fn redact(&self, preimage: Preimage) -> Result<(), DiskError> {
        self.keep(&Preimage {
            before: Before::Redacted,
            ..preimage
        })
    }

    /// Takes one away.
    pub(super) fn drop_one(&self, id: ChangeId) -> Result<(), DiskError> {
        remove(self.disk, &self.path(id))
    }

    /// Takes away what is too old or too many; the newest stays in any case.
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

/// The hash by which content is known; nothing has the hash of the empty content.
pub(super) fn hash(content: Option<&[u8]>) -> String {
    content_hash(content.unwrap_or_default())
}
