//! Walks from the newest entry back to the first, parent by parent.
//!
//! Only ever moves backwards in the file, so even a corrupt file cannot cause a cycle.

use std::hash::{DefaultHasher, Hash, Hasher};

use base::EntryId;
use base::disk::DiskError;

use crate::entry::EntryPlace;
use crate::format::{self, LineContent};
use crate::reader::{BackwardReader, RawLine, RawText, TranscriptFile};
use crate::recovery::Repair;
use crate::{Entry, EntryPointer, Payload};

/// One entry on the path.
#[derive(Debug)]
pub(crate) struct PathLine {
    /// Offset of its line.
    pub(crate) offset: u64,
    /// The length of its line.
    pub(crate) n_bytes: u64,
    /// Its id and parent.
    pub(crate) place: EntryPlace,
    /// Its content; `None` if only id and parent are readable.
    pub(crate) entry: Option<Entry>,
}

impl PathLine {
    pub(crate) fn pointer(self) -> EntryPointer {
        EntryPointer {
            id: self.place.id,
            offset: self.offset,
        }
    }

    pub(crate) fn payload(&self) -> Option<&Payload> {
        self.entry.as_ref().map(|entry| &entry.payload)
    }
}

/// Walks from the leaf, the last readable entry of the file, to the root.
///
/// The parent of an entry is the nearest earlier entry with that id. If there is none, the walk continues
/// with the readable entry before and reports the missing parent.
#[derive(Debug)]
pub(crate) struct Path<'a> {
    file: &'a TranscriptFile,
    back: BackwardReader<'a>,
    next: NextPlace,
    index: Option<IdIndex>,
    has_jumped: bool,
    repairs: Vec<Repair>,
}

/// Where the walk continues.
#[derive(Debug)]
enum NextPlace {
    /// At the readable entry before.
    Before,
    /// At the entry with this offset.
    At(u64),
    /// At the parent of an entry.
    Parent(EntryPlace),
    /// At the target of a rewind, whose offset saves a search through a long dead branch.
    Target { rewind: EntryPlace, offset: u64 },
    /// Nowhere: the root has been returned.
    End,
}

impl<'a> Path<'a> {
    /// Starts at the last readable entry.
    pub(crate) fn from_leaf(file: &'a TranscriptFile) -> Self {
        Self {
            file,
            back: BackwardReader::new(file),
            next: NextPlace::Before,
            index: None,
            has_jumped: false,
            repairs: Vec::new(),
        }
    }

    /// Starts at the entry whose line begins at `offset`.
    pub(crate) fn from_entry(file: &'a TranscriptFile, offset: u64) -> Self {
        Self {
            next: NextPlace::At(offset),
            ..Self::from_leaf(file)
        }
    }

    /// The next entry of the path, newest first.
    pub(crate) fn next(&mut self) -> Result<Option<PathLine>, DiskError> {
        let found = match std::mem::replace(&mut self.next, NextPlace::End) {
            NextPlace::End => None,
            NextPlace::Before => self.readable_before()?,
            NextPlace::At(offset) => self.at(offset)?,
            NextPlace::Parent(child) => self.parent_of(child)?,
            NextPlace::Target { rewind, offset } => self.target_of(rewind, offset)?,
        };
        if let Some(line) = &found {
            self.next = next_after(line);
        }
        Ok(found)
    }

    /// Whether the walk skipped entries without a rewind: another program changed the branch.
    pub(crate) fn has_jumped(&self) -> bool {
        self.has_jumped
    }

    /// The damage found so far.
    pub(crate) fn into_repairs(self) -> Vec<Repair> {
        self.repairs
    }

    fn readable_before(&mut self) -> Result<Option<PathLine>, DiskError> {
        while let Some(raw) = self.back.previous()? {
            if let Some(line) = self.read(&raw) {
                return Ok(Some(line));
            }
        }
        Ok(None)
    }

    /// Moves to the line at `offset` and returns its entry.
    fn at(&mut self, offset: u64) -> Result<Option<PathLine>, DiskError> {
        self.back = BackwardReader::before(self.file, offset);
        Ok(self.file.line_at(offset)?.and_then(|raw| self.read(&raw)))
    }

    fn target_of(
        &mut self,
        rewind: EntryPlace,
        offset: u64,
    ) -> Result<Option<PathLine>, DiskError> {
        let is_there = offset < self.back.position() && id_at(self.file, offset)? == rewind.parent;
        if is_there {
            self.at(offset)
        } else {
            self.parent_of(rewind)
        }
    }

    fn parent_of(&mut self, child: EntryPlace) -> Result<Option<PathLine>, DiskError> {
        let Some(parent) = child.parent else {
            return Ok(None);
        };
        let child_offset = self.back.position();
        let mut taken = None;
        if !parent.as_str().is_empty() {
            if let Some(index) = &self.index {
                for offset in index.candidates(&parent, child_offset) {
                    if id_at(self.file, offset)?.as_ref() == Some(&parent) {
                        self.has_jumped = true;
                        return self.at(offset);
                    }
                }
            } else {
                match self.search(&parent)? {
                    Searched::Found(line) => return Ok(Some(line)),
                    Searched::Missing { before } => taken = before,
                }
            }
        }
        self.repairs.push(Repair::MissingParent {
            entry: child.id,
            parent,
        });
        if let Some(offset) = taken {
            return self.at(offset);
        }
        if self.back.position() != child_offset {
            self.back = BackwardReader::before(self.file, child_offset);
        }
        self.readable_before()
    }

    /// Searches backwards for an entry. The first miss builds an index of all ids, so that a file with many
    /// missing parents is not read again for each one.
    fn search(&mut self, id: &EntryId) -> Result<Searched, DiskError> {
        let mut before = None;
        while let Some(raw) = self.back.previous()? {
            let Some(place) = place_of(&raw) else {
                // Report damage next to the path only; `verify` reports the rest.
                if before.is_none() {
                    self.read(&raw);
                }
                continue;
            };
            if place.id == *id {
                self.has_jumped |= before.is_some();
                return Ok(match self.read(&raw) {
                    Some(line) => Searched::Found(line),
                    None => Searched::Missing { before },
                });
            }
            before.get_or_insert(raw.offset);
        }
        if before.is_some() {
            self.index = Some(IdIndex::read(self.file)?);
        }
        Ok(Searched::Missing { before })
    }

    /// Parses a line and reports damage; `None` if it is not an entry.
    fn read(&mut self, raw: &RawLine) -> Option<PathLine> {
        let (place, entry) = match raw.parse() {
            LineContent::Entry(entry) => (entry.place(), Some(entry)),
            LineContent::Damaged { damage, place } => {
                if !damage.is_absence() {
                    self.repairs.push(Repair::DamagedLine(raw.offset, damage));
                }
                (place?, None)
            }
            LineContent::Header(_) | LineContent::ShortMeta(_) => return None,
        };
        Some(PathLine {
            offset: raw.offset,
            n_bytes: raw.len,
            place,
            entry,
        })
    }
}

#[expect(
    clippy::large_enum_variant,
    reason = "nearly every search finds its entry"
)]
enum Searched {
    Found(PathLine),
    /// No entry has that id; `before` is the offset of the readable entry before the child.
    Missing {
        before: Option<u64>,
    },
}

fn next_after(line: &PathLine) -> NextPlace {
    let place = line.place.clone();
    match line.payload() {
        Some(Payload::Rewind(rewind)) => NextPlace::Target {
            rewind: place,
            offset: rewind.target.offset,
        },
        _ => NextPlace::Parent(place),
    }
}

pub(crate) fn place_of(raw: &RawLine) -> Option<EntryPlace> {
    match &raw.text {
        RawText::Bytes(bytes) => format::parse_place(bytes),
        RawText::TooLong => None,
    }
}

/// Offset of the newest entry with this id.
pub(crate) fn locate(file: &TranscriptFile, id: &EntryId) -> Result<Option<u64>, DiskError> {
    let mut back = BackwardReader::new(file);
    while let Some(raw) = back.previous()? {
        if place_of(&raw).is_some_and(|place| place.id == *id) {
            return Ok(Some(raw.offset));
        }
    }
    Ok(None)
}

pub(crate) fn id_at(file: &TranscriptFile, offset: u64) -> Result<Option<EntryId>, DiskError> {
    let place = file.line_at(offset)?.as_ref().and_then(place_of);
    Ok(place.map(|place| place.id))
}

/// The offset of each id in a file, as sorted pairs of id hash and offset.
#[derive(Debug)]
struct IdIndex {
    hashes: Vec<(u64, u64)>,
}

impl IdIndex {
    fn read(file: &TranscriptFile) -> Result<Self, DiskError> {
        let mut hashes = Vec::new();
        let mut back = BackwardReader::new(file);
        while let Some(raw) = back.previous()? {
            if let Some(place) = place_of(&raw) {
                hashes.push((hash(&place.id), raw.offset));
            }
        }
        hashes.sort_unstable();
        Ok(Self { hashes })
    }

    /// Offsets before `offset` at which the id may be, nearest first. Hashes can collide.
    fn candidates(&self, id: &EntryId, offset: u64) -> Vec<u64> {
        let wanted = hash(id);
        let from = self.hashes.partition_point(|entry| *entry < (wanted, 0));
        let to = self
            .hashes
            .partition_point(|entry| *entry < (wanted, offset));
        let found = self.hashes.get(from..to).unwrap_or_default();
        found.iter().rev().map(|(_, offset)| *offset).collect()
    }
}

fn hash(id: &EntryId) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
#[path = "path_tests.rs"]
mod tests;
