//! Makes a transcript whole again before it is written to.
//!
//! Never throws a byte away: what is cut is kept in quarantine first.

use std::ops::Range;
use std::path::{Path, PathBuf};

use base::disk::{self, Disk, DiskError};
use base::{EntryId, content_hash};

use crate::SessionName;
use crate::format::Damage;
use crate::reader::TranscriptFile;

/// What was found broken in a transcript, and what was done about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Repair {
    /// An append had been broken off; its bytes were moved away.
    #[error(
        "the last line was torn: {n_bytes} bytes from byte {offset} on were moved to {quarantine}",
        quarantine = quarantine.display()
    )]
    TornTail {
        /// Where it began.
        offset: u64,
        /// How long it was.
        n_bytes: u64,
        /// The file that keeps it.
        quarantine: PathBuf,
    },
    /// The first line does not say which session this is; the file's name stands for it.
    #[error("the first line is no header of a session; the name of the file stands for its id")]
    NoHeader,
    /// The line that begins at this byte was passed over, or only its place was read.
    #[error("the line at byte {0} was passed over: {1}")]
    DamagedLine(u64, Damage),
    /// An entry follows one that is not there; the readable one before was taken.
    #[error("entry {entry} follows {parent:?}, which is not there; the entry before it was taken", parent = parent.as_str())]
    MissingParent {
        /// The entry.
        entry: EntryId,
        /// What it names; empty where it names nothing.
        parent: EntryId,
    },
    /// A compaction shows an entry that is not there.
    #[error("compaction {compaction} keeps {entry}, which is not there")]
    MissingKept {
        /// The compaction.
        compaction: EntryId,
        /// What it names.
        entry: EntryId,
    },
    /// Another program added so many bytes to the transcript while a turn was under way.
    #[error("another program added {0} bytes during the turn; they were read")]
    AppendedElsewhere(u64),
}

impl Repair {
    /// The file that keeps what was moved away.
    pub fn quarantine(&self) -> Option<&Path> {
        match self {
            Self::TornTail { quarantine, .. } => Some(quarantine),
            Self::NoHeader
            | Self::DamagedLine(..)
            | Self::MissingParent { .. }
            | Self::MissingKept { .. }
            | Self::AppendedElsewhere(_) => None,
        }
    }
}

/// How much is moved at once.
const CHUNK_BYTES: u64 = 1024 * 1024;

/// Moves what stands after the last line end into quarantine, if anything does. The lock must be held.
///
/// Durability: the copy is durable before the cut. Where a crash falls between them, the next call
/// makes the same copy again.
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

/// 64 bits tell the ranges of one session apart.
const HASH_DIGITS: usize = 16;

/// Copies a range of a transcript into quarantine, under a name that says where it stood and what it holds.
///
/// Durability: after `Ok` the copy survives a crash; where one falls before, the next call makes it again.
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

/// The hash of a range; of a long one, the hash over the hashes of its chunks.
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
