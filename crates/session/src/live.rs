//! The lines on the live branch: all of them in file order, or those from a position on.
//!
//! Skips abandoned branches.

use std::cell::Cell;
use std::ops::Range;
use std::path::Path as FilePath;

use base::Message;
use base::disk::{Disk, DiskError};

use crate::path::Path;
use crate::reader::{ForwardReader, LineStart, RawLine, TranscriptFile, TranscriptLine};
use crate::{Entry, LineContent, Payload};

/// Iterates over the entries on the newest entry's branch, in file order.
///
/// Keeps eight bytes per line in memory.
#[derive(Debug)]
pub struct LiveLines {
    lines: ForwardReader,
    /// Offsets of the remaining lines, in reverse order.
    offsets: Vec<u64>,
}

impl LiveLines {
    /// Starts at the line `from`; returns `None` if that line has no entry of the branch.
    pub(crate) fn open(
        disk: &dyn Disk,
        path: &FilePath,
        from: LineStart,
    ) -> Result<Option<Self>, DiskError> {
        let file = TranscriptFile::open(disk, path)?;
        let offsets = offsets_back_to(&file, from.offset)?;
        if from != LineStart::FIRST && offsets.last() != Some(&from.offset) {
            return Ok(None);
        }
        Ok(Some(Self {
            lines: ForwardReader::begin_at(file, from),
            offsets,
        }))
    }

    /// Starts at the beginning of the turn that contains the byte `from`. Parses nothing before it.
    pub(crate) fn open_in(disk: &dyn Disk, path: &FilePath, from: u64) -> Result<Self, DiskError> {
        let file = TranscriptFile::open(disk, path)?;
        let mut offsets = Vec::new();
        let mut way = Path::from_leaf(&file);
        while let Some(line) = way.next()? {
            if line.entry.is_some() {
                offsets.push(line.offset);
            }
            if line.offset <= from && line.entry.as_ref().is_some_and(is_of_person) {
                break;
            }
        }
        let start = match offsets.last() {
            Some(offset) => LineStart {
                number: file.n_lines_before(*offset)? + 1,
                offset: *offset,
            },
            None => LineStart::FIRST,
        };
        Ok(Self {
            lines: ForwardReader::begin_at(file, start),
            offsets,
        })
    }
}

/// The offsets of the branch's lines from `from` on, last first. Parses no message.
fn offsets_back_to(file: &TranscriptFile, from: u64) -> Result<Vec<u64>, DiskError> {
    let mut offsets = Vec::new();
    let mut way = Path::places_from_leaf(file);
    while let Some(line) = way.next()?.filter(|line| line.offset >= from) {
        offsets.push(line.offset);
        if line.offset == from {
            break;
        }
    }
    Ok(offsets)
}

/// The live branch of a transcript as it was when it was opened: where its lines are.
///
/// Keeps eight bytes per line in memory, and reads a line only when it is asked for.
#[derive(Debug)]
pub struct LiveBranch {
    file: TranscriptFile,
    /// Offsets of the lines, in file order.
    offsets: Vec<u64>,
    is_cut: bool,
    /// The line that was counted to last; others are counted from there.
    counted: Cell<LineStart>,
}

impl LiveBranch {
    /// Finds the lines of the branch, or the last `n_max` of them.
    pub(crate) fn open(file: TranscriptFile, n_max: Option<usize>) -> Result<Self, DiskError> {
        let n_max = n_max.unwrap_or(usize::MAX);
        let mut offsets = Vec::new();
        let mut way = Path::places_from_leaf(&file);
        let mut is_cut = false;
        while let Some(line) = way.next()? {
            is_cut = offsets.len() == n_max;
            if is_cut {
                break;
            }
            offsets.push(line.offset);
        }
        offsets.reverse();
        Ok(Self {
            file,
            offsets,
            is_cut,
            counted: Cell::new(LineStart::FIRST),
        })
    }

    /// The number of lines.
    pub fn n_lines(&self) -> usize {
        self.offsets.len()
    }

    /// Whether earlier lines were left out.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The position, from 0, of the first line of the branch that is not before this line of the transcript.
    pub fn position_of(&self, line: u64) -> Result<usize, DiskError> {
        let offset = self.file.offset_of_line(line)?;
        Ok(self.offsets.partition_point(|own| *own < offset))
    }

    /// The lines at these positions, in file order. Parses no other line.
    pub fn lines(
        &self,
        at: Range<usize>,
    ) -> Result<impl Iterator<Item = Result<TranscriptLine, DiskError>>, DiskError> {
        let wanted = self.offsets.get(at).unwrap_or_default();
        let start = wanted.first().copied().unwrap_or_default();
        let number = self.number_at(start)?;
        let mut numbered = self.file.raw_lines_from(start).zip(number..);
        Ok(wanted.iter().filter_map(move |offset| {
            let is_there = |raw: &RawLine| raw.offset >= *offset;
            let (raw, number) = numbered.find(|(raw, _)| raw.as_ref().map_or(true, is_there))?;
            Some(raw.map(|raw| raw.line(number)))
        }))
    }

    /// The number of the line at an offset.
    fn number_at(&self, offset: u64) -> Result<u64, DiskError> {
        let known = self.counted.get();
        let number = if offset < known.offset {
            known.number - self.file.n_line_ends(offset, known.offset)?
        } else {
            known.number + self.file.n_line_ends(known.offset, offset)?
        };
        self.counted.set(LineStart { number, offset });
        Ok(number)
    }
}

fn is_of_person(entry: &Entry) -> bool {
    matches!(&entry.payload, Payload::Message(stored) if matches!(stored.message, Message::User { .. }))
}

/// Walks back from the leaf until `ends` returns true or `n_entries_max` entries were read. Returns the offset of the
/// last entry read.
pub(crate) fn look_back(
    file: &TranscriptFile,
    n_entries_max: usize,
    ends: &mut dyn FnMut(&Entry) -> bool,
) -> Result<u64, DiskError> {
    let mut way = Path::from_leaf(file);
    let mut offset = file.end();
    for _ in 0..n_entries_max {
        let Some(line) = way.next()? else {
            break;
        };
        offset = line.offset;
        if line.entry.as_ref().is_some_and(&mut *ends) {
            break;
        }
    }
    Ok(offset)
}

impl Iterator for LiveLines {
    type Item = Result<TranscriptLine, DiskError>;

    fn next(&mut self) -> Option<Self::Item> {
        while let Some(next) = self.offsets.last().copied() {
            match self.lines.next()? {
                Ok(line) if line.offset < next => {}
                Ok(line) => {
                    self.offsets.pop();
                    // The walk back did not parse messages, so that a damaged one is found only here.
                    if matches!(line.content, LineContent::Entry(_)) {
                        return Some(Ok(line));
                    }
                }
                Err(error) => return Some(Err(error)),
            }
        }
        None
    }
}

#[cfg(test)]
#[path = "live_tests.rs"]
mod tests;
