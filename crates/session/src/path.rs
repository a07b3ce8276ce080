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

#[derive(Debug)]
pub(crate) struct PathLine {
    /// Offset of its line.
    pub(crate) offset: u64,
    /// Length of its line in bytes.
    pub(crate) n_bytes: u64,
    pub(crate) place: EntryPlace,
    /// Its content; `None` if only id and parent are readable, or wanted.
    pub(crate) entry: Option<Entry>,
    /// Whether it is a message that was left unparsed.
    is_unparsed: bool,
}

impl PathLine {
    fn new(raw: &RawLine, place: EntryPlace, entry: Option<Entry>) -> Self {
        Self {
            offset: raw.offset,
            n_bytes: raw.len,
            place,
            entry,
            is_unparsed: false,
        }
    }

    /// A message whose content is not wanted, and may be damaged.
    fn unparsed(raw: &RawLine, place: EntryPlace) -> Self {
        Self {
            is_unparsed: true,
            ..Self::new(raw, place, None)
        }
    }

    /// Whether it says something, judging by its type.
    pub(crate) fn says_something(&self) -> bool {
        self.is_unparsed || self.entry.as_ref().is_some_and(Entry::says_something)
    }

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
/// The parent of an entry is the nearest earlier entry with the named id. If there is none, the walk continues with
/// the nearest earlier readable entry and reports the missing parent.
#[derive(Debug)]
pub(crate) struct Path<'a> {
    file: &'a TranscriptFile,
    back: BackwardReader<'a>,
    next: NextPlace,
    depth: ReadDepth,
    index: Option<IdIndex>,
    has_jumped: bool,
    repairs: Vec<Repair>,
}

/// How much of each message the walk reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ReadDepth {
    /// All of it.
    Whole,
    /// Its id and parent; the rest may be damaged.
    Place,
}

/// Where the walk continues.
#[derive(Debug)]
enum NextPlace {
    /// At the nearest earlier readable entry.
    Before,
    /// At the entry with this offset.
    At(u64),
    /// At the parent of this entry.
    Parent(EntryPlace),
    /// At the target of a rewind. Its recorded offset avoids a search through a long dead branch.
    Target { rewind: EntryPlace, offset: u64 },
    /// Nowhere: the walk has returned the root.
    End,
}

impl<'a> Path<'a> {
    /// Starts at the last readable entry.
    pub(crate) fn from_leaf(file: &'a TranscriptFile) -> Self {
        Self {
            file,
            back: BackwardReader::new(file),
            next: NextPlace::Before,
            depth: ReadDepth::Whole,
            index: None,
            has_jumped: false,
            repairs: Vec::new(),
        }
    }

    /// Starts at the last entry, and leaves messages unparsed: their lines have no `entry`.
    pub(crate) fn places_from_leaf(file: &'a TranscriptFile) -> Self {
        Self {
            depth: ReadDepth::Place,
            ..Self::from_leaf(file)
        }
    }

    /// Starts at the entry on the line at `offset`.
    pub(crate) fn from_entry(file: &'a TranscriptFile, offset: u64) -> Self {
        Self {
            next: NextPlace::At(offset),
            ..Self::from_leaf(file)
        }
    }

    /// The next entry on the path, from newest to oldest.
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

    /// Whether the walk skipped entries that no rewind abandoned. Another program then changed the branch.
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

    /// Searches backwards for an entry. The first failed search builds an index of all ids, so that a file with many
    /// missing parents is read only once more.
    fn search(&mut self, id: &EntryId) -> Result<Searched, DiskError> {
        let mut before = None;
        while let Some(raw) = self.back.previous()? {
            let Some(place) = self.place(&raw) else {
                // Reports only damage next to the path; `verify` reports the rest.
                if before.is_none() {
                    self.read(&raw);
                }
                continue;
            };
            if place.id == *id {
                self.has_jumped |= before.is_some();
                return Ok(match self.read_placed(&raw, place) {
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

    /// The place of a line, without a look at the rest of it if that is enough.
    fn place(&self, raw: &RawLine) -> Option<EntryPlace> {
        match self.depth {
            ReadDepth::Place => quick_place_of(raw),
            ReadDepth::Whole => place_of(raw),
        }
    }

    fn leaves_unparsed(&self, raw: &RawLine) -> bool {
        self.depth == ReadDepth::Place && raw.is_plain_message()
    }

    /// Like [`Self::read`], for a line whose place is known.
    fn read_placed(&mut self, raw: &RawLine, place: EntryPlace) -> Option<PathLine> {
        if self.leaves_unparsed(raw) {
            return Some(PathLine::unparsed(raw, place));
        }
        self.read(raw)
    }

    /// Parses a line and records its damage; `None` if it contains no entry.
    fn read(&mut self, raw: &RawLine) -> Option<PathLine> {
        if self.leaves_unparsed(raw) {
            return self.place(raw).map(|place| PathLine::unparsed(raw, place));
        }
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
        Some(PathLine::new(raw, place, entry))
    }
}

#[expect(
    clippy::large_enum_variant,
    reason = "nearly every search finds its entry"
)]
enum Searched {
    Found(PathLine),
    /// No entry has that id; `before` is the offset of the nearest readable entry before the child.
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

/// The place of a line, for most messages without a look at the rest of it.
pub(crate) fn quick_place_of(raw: &RawLine) -> Option<EntryPlace> {
    let plain = match &raw.text {
        RawText::Bytes(bytes) => format::plain_place(bytes),
        RawText::TooLong => None,
    };
    plain.or_else(|| place_of(raw))
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

/// Maps ids to offsets, as sorted pairs of id hash and offset.
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
                hashes.push((id_hash(&place.id), raw.offset));
            }
        }
        hashes.sort_unstable();
        Ok(Self { hashes })
    }

    /// Offsets below `offset` at which the id may be, nearest first. Callers must check the id, because hashes can
    /// collide.
    fn candidates(&self, id: &EntryId, offset: u64) -> Vec<u64> {
        let wanted = id_hash(id);
        let from = self.hashes.partition_point(|entry| *entry < (wanted, 0));
        let to = self
            .hashes
            .partition_point(|entry| *entry < (wanted, offset));
        let found = self.hashes.get(from..to).unwrap_or_default();
        found.iter().rev().map(|(_, offset)| *offset).collect()
    }
}

/// Hash of an id, by which entries are looked up before their lines are read.
pub(crate) fn id_hash(id: &EntryId) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
#[path = "path_tests.rs"]
mod tests;
