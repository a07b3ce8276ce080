//! Finds an entry by id, by id prefix, or by epoch.
//!
//! Reads the whole file, unless the caller says where to look: for commands, not for each turn.

use std::collections::BTreeSet;

use base::EntryId;
use base::disk::DiskError;

use crate::epoch;
use crate::format::LineContent;
use crate::path::{place_of, quick_place_of};
use crate::reader::{BackwardReader, RawText, TranscriptFile};
use crate::{Entry, EntryPointer, Epoch, Meta, Payload, ReadError, SessionName};

/// A user's way to select an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EntrySelector {
    /// By id or by unambiguous id prefix.
    Entry(String),
    /// The last entry before the compaction that ended this epoch.
    EndOf(Epoch),
}

/// The number of candidates that the error for an ambiguous prefix lists at most.
const CANDIDATES_MAX: usize = 4;

/// An id is suggested only if it shares at least this many leading characters with the input.
const SHARED_CHARS_MIN: usize = 4;

/// The entry with this id or id prefix. If several entries have the same id, the newest.
pub(crate) fn by_id(
    file: &TranscriptFile,
    name: &SessionName,
    wanted: &str,
) -> Result<EntryPointer, ReadError> {
    let mut begins: Vec<EntryPointer> = Vec::new();
    let mut nearest: Option<(usize, EntryId)> = None;
    let mut back = BackwardReader::new(file);
    while let Some(raw) = back.previous()? {
        let Some(place) = place_of(&raw) else {
            continue;
        };
        let pointer = EntryPointer {
            id: place.id,
            offset: raw.offset,
        };
        if pointer.id.as_str() == wanted {
            return Ok(pointer);
        }
        if !wanted.is_empty() && pointer.id.as_str().starts_with(wanted) {
            let is_known = begins.iter().any(|known| known.id == pointer.id);
            if !is_known && begins.len() < CANDIDATES_MAX {
                begins.push(pointer);
            }
            continue;
        }
        let n_shared = n_shared(pointer.id.as_str(), wanted);
        if n_shared >= SHARED_CHARS_MIN && nearest.as_ref().is_none_or(|(n, _)| *n < n_shared) {
            nearest = Some((n_shared, pointer.id));
        }
    }
    let (name, wanted) = (name.clone(), wanted.to_owned());
    match (begins.pop(), begins.is_empty()) {
        (Some(only), true) => Ok(only),
        (Some(last), false) => {
            let ids = begins.into_iter().chain([last]).map(|pointer| pointer.id);
            Err(ReadError::Ambiguous {
                name,
                wanted,
                candidates: ids.collect(),
            })
        }
        (None, _) => Err(ReadError::NoEntry {
            name,
            wanted,
            nearest: nearest.map(|(_, id)| id),
        }),
    }
}

fn n_shared(a: &str, b: &str) -> usize {
    a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count()
}

/// The entries with these ids, each with the offset at which it was, if that is known. If none of them has moved,
/// nothing else is read.
pub(crate) fn entries(
    file: &TranscriptFile,
    wanted: &[(EntryId, Option<u64>)],
) -> Result<Vec<Entry>, DiskError> {
    let mut found = Vec::new();
    let mut missing = BTreeSet::new();
    for (id, offset) in wanted {
        let line = offset.map_or(Ok(None), |offset| file.line_at(offset))?;
        match line.map(|line| line.parse()) {
            Some(LineContent::Entry(entry)) if entry.id == *id => found.push(entry),
            Some(_) | None => {
                missing.insert(id);
            }
        }
    }
    if missing.is_empty() {
        return Ok(found);
    }
    for raw in file.raw_lines() {
        let raw = raw?;
        if quick_place_of(&raw).is_some_and(|place| missing.contains(&place.id))
            && let LineContent::Entry(entry) = raw.parse()
        {
            found.push(entry);
        }
    }
    Ok(found)
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FoundCompaction {
    pub(crate) pointer: EntryPointer,
    /// The epoch that it ended.
    pub(crate) epoch: Epoch,
}

/// The first compaction in the file for which `is_wanted` returns true, on any branch.
pub(crate) fn compaction(
    file: &TranscriptFile,
    is_wanted: impl Fn(&FoundCompaction) -> bool,
) -> Result<Option<FoundCompaction>, DiskError> {
    let mut state = Meta::default();
    for line in file.lines() {
        let line = line?;
        epoch::apply_line(&mut state, &line.content);
        if let LineContent::Entry(entry) = line.content
            && let Payload::Compaction(_) = entry.payload
        {
            let found = FoundCompaction {
                pointer: EntryPointer {
                    id: entry.id,
                    offset: line.offset,
                },
                epoch: Epoch(state.compaction_count.0.saturating_sub(1)),
            };
            if is_wanted(&found) {
                return Ok(Some(found));
            }
        }
    }
    Ok(None)
}

/// The lines whose messages draw on passages of repositories, with the scopes of these repositories.
///
/// Parses only lines that name scopes.
pub(crate) fn scoped_lines(file: &TranscriptFile) -> Result<Vec<(usize, Vec<String>)>, DiskError> {
    let finder = memchr::memmem::Finder::new(b"\"scopes\":[");
    let mut found = Vec::new();
    for (raw, number) in file.raw_lines().zip(1..) {
        let raw = raw?;
        let RawText::Bytes(bytes) = &raw.text else {
            continue;
        };
        if finder.find(bytes).is_some()
            && let LineContent::Entry(entry) = raw.parse()
            && let Payload::Message(stored) = entry.payload
            && !stored.scopes.is_empty()
        {
            found.push((number, stored.scopes));
        }
    }
    Ok(found)
}

#[cfg(test)]
#[path = "lookup_tests.rs"]
mod tests;
