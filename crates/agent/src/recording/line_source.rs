//! Lines of a file, one at a time, within a bound.
//!
//! Knows nothing of what the lines say.

use base::disk::{DiskError, ReadAt};

/// Bytes that are read at once.
const CHUNK_BYTES: usize = 256 * 1024;

/// The longest line that is read; a recorded message of this size already fills any window.
pub(super) const LINE_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Reads a file line by line.
#[derive(Debug)]
pub(super) struct LineSource {
    file: Box<dyn ReadAt>,
    offset: u64,
    /// Bytes that were read and not yet given out.
    pending: Vec<u8>,
    /// Where the next line begins in `pending`.
    start: usize,
    /// Where to look for its end, so that a long line is not searched again with each chunk.
    searched: usize,
    number: u64,
    at_end: bool,
}

/// A line without its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    /// From 1.
    pub(super) number: u64,
    pub(super) bytes: Vec<u8>,
    /// Whether a line end follows; the last line of a file that is still being written has none.
    pub(super) is_ended: bool,
}

/// A line that was not read.
#[derive(Debug)]
pub(super) enum LineError {
    /// It is longer than [`LINE_BYTES_MAX`].
    TooLong { number: u64 },
    /// The file cannot be read.
    Disk(DiskError),
}

impl LineSource {
    pub(super) fn new(file: Box<dyn ReadAt>) -> Self {
        let pending = Vec::new();
        Self {
            file,
            offset: 0,
            pending,
            start: 0,
            searched: 0,
            number: 0,
            at_end: false,
        }
    }

    /// The next line; `None` after the last.
    pub(super) fn next_line(&mut self) -> Result<Option<Line>, LineError> {
        loop {
            let unsearched = self.pending.get(self.searched..).unwrap_or_default();
            if let Some(found) = memchr::memchr(b'\n', unsearched) {
                let end = self.searched + found;
                return Ok(Some(self.take(end, end + 1)));
            }
            self.searched = self.pending.len();
            if self.searched - self.start > LINE_BYTES_MAX {
                return Err(LineError::TooLong {
                    number: self.number + 1,
                });
            }
            if self.at_end {
                let is_empty = self.searched == self.start;
                return Ok((!is_empty).then(|| self.take(self.searched, self.searched)));
            }
            self.fill().map_err(LineError::Disk)?;
        }
    }

    /// Gives out the bytes up to `end` and goes on at `next`.
    fn take(&mut self, end: usize, next: usize) -> Line {
        let bytes = self.pending.get(self.start..end).unwrap_or_default();
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes).to_vec();
        self.start = next;
        self.searched = next;
        self.number += 1;
        Line {
            number: self.number,
            bytes,
            is_ended: next > end,
        }
    }

    fn fill(&mut self) -> Result<(), DiskError> {
        self.pending.drain(..self.start);
        self.searched -= self.start;
        self.start = 0;
        let len = self.pending.len();
        self.pending.resize(len + CHUNK_BYTES, 0);
        let free = self.pending.get_mut(len..).unwrap_or_default();
        let n_read = self.file.read_at(self.offset, free)?;
        self.pending.truncate(len + n_read);
        self.offset += n_read as u64;
        self.at_end = n_read < CHUNK_BYTES;
        Ok(())
    }
}
