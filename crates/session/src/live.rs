//! The lines on the live branch, in file order.
//!
//! Skips abandoned branches.

use std::path::Path as FilePath;

use base::Message;
use base::disk::{Disk, DiskError};

use crate::path::Path;
use crate::reader::{ForwardReader, LineStart, TranscriptFile, TranscriptLine};
use crate::{Entry, Payload};

/// Iterates over the lines of the newest entry's branch that hold an entry, in file order.
///
/// Keeps eight bytes per line in memory.
#[derive(Debug)]
pub struct LiveLines {
    lines: ForwardReader,
    /// Offsets of the remaining lines, the next one last.
    offsets: Vec<u64>,
}

impl LiveLines {
    /// The lines from `from` on; `None` if that line holds no entry of the branch.
    pub(crate) fn open(
        disk: &dyn Disk,
        path: &FilePath,
        from: LineStart,
    ) -> Result<Option<Self>, DiskError> {
        let file = TranscriptFile::open(disk, path)?;
        let mut offsets = Vec::new();
        let mut way = Path::from_leaf(&file);
        while let Some(line) = way.next()? {
            if line.offset < from.offset {
                break;
            }
            if line.entry.is_some() {
                offsets.push(line.offset);
            }
            if line.offset == from.offset {
                break;
            }
        }
        if from != LineStart::FIRST && offsets.last() != Some(&from.offset) {
            return Ok(None);
        }
        Ok(Some(Self {
            lines: ForwardReader::begin_at(file, from),
            offsets,
        }))
    }

    /// The lines from the beginning of the turn on that holds the byte `from`. Parses nothing before it.
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

fn is_of_person(entry: &Entry) -> bool {
    matches!(&entry.payload, Payload::Message(stored) if matches!(stored.message, Message::User { .. }))
}

/// Where the newest entry lies that ends a look back from the leaf, or the last one of those that were looked at.
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
        let next = *self.offsets.last()?;
        loop {
            match self.lines.next()? {
                Ok(line) if line.offset < next => {}
                Ok(line) => {
                    self.offsets.pop();
                    return Some(Ok(line));
                }
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

#[cfg(test)]
#[path = "live_tests.rs"]
mod tests;
