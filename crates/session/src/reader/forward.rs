//! Reads a transcript forwards.
//!
//! Keeps one line in memory at a time, and skips lines that are too long.

use std::path::Path;

use base::disk::{Disk, DiskError};
use memchr::memchr;

use super::CHUNK_BYTES;
use super::file::{RawLine, RawText, TranscriptFile, chunk_len};
use crate::format::{self, Damage, LINE_BYTES_MAX, LineContent};

/// A parsed line of a transcript.
#[derive(Debug, Clone, PartialEq)]
pub struct TranscriptLine {
    /// Its line number, from 1.
    pub number: u64,
    /// Its offset in bytes.
    pub offset: u64,
    /// Its length in bytes, without its line end.
    pub n_bytes: u64,
    pub content: LineContent,
}

/// Bytes after the last line end, left by an interrupted append.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TornTail {
    /// Their offset.
    pub offset: u64,
    /// Their number.
    pub n_bytes: u64,
}

/// The line at which to start reading a transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineStart {
    /// Its line number, from 1.
    pub number: u64,
    /// Its offset in bytes.
    pub offset: u64,
}

impl LineStart {
    /// The first line.
    pub const FIRST: Self = Self {
        number: 1,
        offset: 0,
    };
}

/// Reads a transcript line by line, as it was when it was opened.
#[derive(Debug)]
pub struct ForwardReader {
    file: TranscriptFile,
    cursor: LineCursor,
    /// Number of the line returned last.
    number: u64,
}

impl ForwardReader {
    /// Opens the transcript at `path`.
    pub fn open(disk: &dyn Disk, path: &Path) -> Result<Self, DiskError> {
        Ok(Self {
            file: TranscriptFile::open(disk, path)?,
            cursor: LineCursor::new(0),
            number: 0,
        })
    }

    /// Reads a file that is already open, starting at a line.
    pub(crate) fn begin_at(file: TranscriptFile, start: LineStart) -> Self {
        Self {
            file,
            cursor: LineCursor::new(start.offset),
            number: start.number.saturating_sub(1),
        }
    }

    /// The bytes after the last line end, if there are any.
    pub fn torn_tail(&self) -> Option<TornTail> {
        let n_bytes = self.file.len() - self.file.end();
        (n_bytes > 0).then(|| TornTail {
            offset: self.file.end(),
            n_bytes,
        })
    }
}

impl Iterator for ForwardReader {
    type Item = Result<TranscriptLine, DiskError>;

    /// The next line; `None` after an error.
    fn next(&mut self) -> Option<Self::Item> {
        let raw = self.cursor.next(&self.file).transpose()?;
        self.number += 1;
        Some(raw.map(|raw| raw.line(self.number)))
    }
}

impl TranscriptFile {
    /// The line that begins at `offset`; `None` if no line begins there.
    pub(crate) fn line_at(&self, offset: u64) -> Result<Option<RawLine>, DiskError> {
        let begins = match offset.checked_sub(1) {
            None => true,
            Some(before) => offset < self.end() && self.read(before, 1)? == b"\n",
        };
        if begins {
            LineCursor::new(offset).next(self)
        } else {
            Ok(None)
        }
    }

    /// All lines, unparsed, in file order.
    pub(crate) fn raw_lines(&self) -> impl Iterator<Item = Result<RawLine, DiskError>> {
        self.raw_lines_from(0)
    }

    /// The lines from the one at `offset` on, unparsed, in file order.
    pub(crate) fn raw_lines_from(
        &self,
        offset: u64,
    ) -> impl Iterator<Item = Result<RawLine, DiskError>> {
        let mut cursor = LineCursor::new(offset);
        std::iter::from_fn(move || cursor.next(self).transpose())
    }

    /// All lines, in file order.
    pub(crate) fn lines(&self) -> impl Iterator<Item = Result<TranscriptLine, DiskError>> {
        let numbered = self.raw_lines().zip(1..);
        numbered.map(|(raw, number)| raw.map(|raw| raw.line(number)))
    }
}

impl RawLine {
    /// The parsed line, which has this number.
    pub(crate) fn line(&self, number: u64) -> TranscriptLine {
        TranscriptLine {
            number,
            offset: self.offset,
            n_bytes: self.len,
            content: self.parse(),
        }
    }

    /// Whether the line is certainly a message, judging by its first bytes alone.
    pub(crate) fn is_plain_message(&self) -> bool {
        matches!(&self.text, RawText::Bytes(bytes) if format::is_plain_message(bytes))
    }

    pub(crate) fn parse(&self) -> LineContent {
        match &self.text {
            RawText::Bytes(bytes) => format::parse(bytes),
            RawText::TooLong => LineContent::Damaged {
                damage: Damage::TooLong(self.len),
                place: None,
            },
        }
    }
}

/// A position in a transcript for reading forwards.
#[derive(Debug)]
pub(super) struct LineCursor {
    /// Bytes of the file from `data_offset` on.
    pub(super) data: Vec<u8>,
    data_offset: u64,
    /// The number of bytes of `data` that belong to lines already returned.
    n_consumed: usize,
    /// After an error the cursor returns no more lines.
    has_failed: bool,
}

impl LineCursor {
    pub(super) fn new(offset: u64) -> Self {
        Self {
            data: Vec::new(),
            data_offset: offset,
            n_consumed: 0,
            has_failed: false,
        }
    }

    pub(super) fn next(&mut self, file: &TranscriptFile) -> Result<Option<RawLine>, DiskError> {
        if self.has_failed {
            return Ok(None);
        }
        let line = self.read_next(file);
        self.has_failed = line.is_err();
        line
    }

    fn read_next(&mut self, file: &TranscriptFile) -> Result<Option<RawLine>, DiskError> {
        let offset = self.data_offset + self.n_consumed as u64;
        if offset >= file.end() {
            return Ok(None);
        }
        let mut n_searched = self.n_consumed;
        loop {
            let unsearched = self.data.get(n_searched..).unwrap_or_default();
            if let Some(found) = memchr(b'\n', unsearched) {
                let line_end = n_searched + found;
                let bytes = self.data.get(self.n_consumed..line_end);
                let bytes = bytes.unwrap_or_default().to_vec();
                self.n_consumed = line_end + 1;
                return Ok(Some(finished(offset, bytes)));
            }
            let n_pending = self.data.len() - self.n_consumed;
            if n_pending as u64 > LINE_BYTES_MAX {
                return self.skip_long(file, offset).map(Some);
            }
            self.data.drain(..self.n_consumed);
            self.data_offset = offset;
            self.n_consumed = 0;
            n_searched = n_pending;
            let chunk = self.read_chunk(file)?;
            self.data.extend(chunk);
        }
    }

    /// Reads the bytes after `data`. There are some, because the file ends with a line end.
    fn read_chunk(&self, file: &TranscriptFile) -> Result<Vec<u8>, DiskError> {
        let start = self.data_offset + self.data.len() as u64;
        file.read(start, chunk_len(file.end().saturating_sub(start)).max(1))
    }

    fn skip_long(&mut self, file: &TranscriptFile, offset: u64) -> Result<RawLine, DiskError> {
        loop {
            self.data_offset += self.data.len() as u64;
            self.data = Vec::with_capacity(CHUNK_BYTES);
            self.n_consumed = 0;
            self.data = self.read_chunk(file)?;
            if let Some(found) = memchr(b'\n', &self.data) {
                self.n_consumed = found + 1;
                return Ok(RawLine {
                    offset,
                    len: self.data_offset + found as u64 - offset,
                    text: RawText::TooLong,
                });
            }
        }
    }
}

/// Builds a line from its bytes. A line that was loaded can still be slightly too long.
pub(super) fn finished(offset: u64, bytes: Vec<u8>) -> RawLine {
    let len = bytes.len() as u64;
    let text = if len > LINE_BYTES_MAX {
        RawText::TooLong
    } else {
        RawText::Bytes(bytes)
    };
    RawLine { offset, len, text }
}
