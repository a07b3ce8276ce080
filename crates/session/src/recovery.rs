//! Repairs a transcript before it is written to.
//!
//! Never discards a byte: bytes go to quarantine before they are cut.

use std::ops::Range;
use std::path::{Path, PathBuf};

use base::disk::{self, Disk, DiskError};
use base::{EntryId, content_hash};

use crate::SessionName;
use crate::format::Damage;
use crate::reader::TranscriptFile;

/// Damage found in a transcript, and what was done about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Repair {
    /// An append was interrupted; its bytes were moved to quarantine.
    #[error(
        "the last line was incomplete: its {n_bytes} bytes from byte {offset} on were moved to {quarantine}",
        quarantine = quarantine.display()
    )]
    TornTail {
        offset: u64,
        /// Its length in bytes.
        n_bytes: u64,
        /// The file that holds it now.
        quarantine: PathBuf,
    },
    /// The first line is not a header; the file name serves as the session id.
    #[error("the first line is not a session header; the file name is used as the session id")]
    NoHeader,
    /// The line at this offset was skipped, or only its id and parent could be read.
    #[error("the line at byte {0} was skipped: {1}")]
    DamagedLine(u64, Damage),
    /// The parent of an entry is missing; the nearest earlier readable entry was used instead.
    #[error(
        "entry {entry} follows {parent:?}, which does not exist; the preceding entry was used",
        parent = parent.as_str()
    )]
    MissingParent {
        entry: EntryId,
        /// The parent that it names; empty if it names none.
        parent: EntryId,
    },
    /// The first entry that a compaction keeps does not exist.
    #[error("compaction {compaction} keeps {entry}, which does not exist")]
    MissingKept {
        compaction: EntryId,
        /// The missing entry.
        entry: EntryId,
    },
    /// Another program appended this many bytes during the turn.
    #[error("another program added {0} bytes during the turn; they were read")]
    AppendedElsewhere(u64),
}

impl Repair {
    /// The file that holds quarantined bytes, if any were moved.
    pub fn quarantine(&self) -> Option<&Path> {
        if let Self::TornTail { quarantine, .. } = self {
            Some(quarantine)
        } else {
            None
        }
    }
}

/// Chunk size for copying and hashing.
const CHUNK_BYTES: u64 = 1024 * 1024;

/// Moves bytes after the last line end to quarantine, if there are any. The caller must hold the turn lock.
///
/// Durability: the copy is durable before the cut. After a crash between the two, the next call makes the
/// same copy again.
pub(crate) fn cut_torn_tail(
    disk: &dyn Disk,
    file: &TranscriptFile,
    name: &SessionName,
    quarantine: &Path,
) -> Result<Option<Repair>, DiskError> {
    let offset = file.end();
    let n_bytes = file.len() - offset;
    if n_bytes == 0 {
        return Ok(None);
    }
    let copy = keep(disk, file, name, quarantine, offset..file.len())?;
    disk.truncate(file.path(), offset)?;
    disk.sync(file.path())?;
    Ok(Some(Repair::TornTail {
        offset,
        n_bytes,
        quarantine: copy,
    }))
}

/// 64 bits are enough to distinguish the ranges of one session.
const HASH_DIGITS: usize = 16;

/// Copies a range of a transcript to quarantine, in a file named after its offset and hash.
///
/// Durability: after `Ok` the copy survives a crash; after a crash before that, the next call makes it again.
pub(crate) fn keep(
    disk: &dyn Disk,
    file: &TranscriptFile,
    name: &SessionName,
    quarantine: &Path,
    range: Range<u64>,
) -> Result<PathBuf, DiskError> {
    disk::create_dir(disk, quarantine)?;
    let hash = hash(file, range.clone())?;
    let hash = base::head(&hash, HASH_DIGITS);
    let copy = quarantine.join(format!("{name}-{}-{hash}.jsonl", range.start));
    if disk.stat(&copy)?.is_some() {
        disk.remove(&copy)?;
    }
    for_each_chunk(file, range, |chunk| disk::append(disk, &copy, chunk))?;
    Ok(copy)
}

/// The hash of a range. For more than one chunk, it is the hash of the concatenated chunk hashes.
fn hash(file: &TranscriptFile, range: Range<u64>) -> Result<String, DiskError> {
    let mut hashes = Vec::new();
    for_each_chunk(file, range, |chunk| {
        hashes.push(content_hash(chunk));
        Ok(())
    })?;
    Ok(match hashes.as_slice() {
        [only] => only.clone(),
        several => content_hash(several.concat().as_bytes()),
    })
}

pub(crate) fn for_each_chunk(
    file: &TranscriptFile,
    range: Range<u64>,
    mut act: impl FnMut(&[u8]) -> Result<(), DiskError>,
) -> Result<(), DiskError> {
    let mut offset = range.start;
    while offset < range.end {
        let n_bytes = CHUNK_BYTES.min(range.end - offset);
        let chunk = file.read(offset, usize::try_from(n_bytes).unwrap_or(usize::MAX))?;
        act(&chunk)?;
        offset += n_bytes;
    }
    Ok(())
}
