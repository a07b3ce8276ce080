//! Reads a transcript backwards.
//!
//! Keeps one line and its chunk in memory at a time, and skips lines that are too long.

use base::disk::DiskError;
use memchr::memrchr;

use super::CHUNK_BYTES;
use super::file::{RawLine, RawText, TranscriptFile, chunk_len};
use super::forward::finished;
use crate::format::{self, LINE_BYTES_MAX};

/// Reads the lines before a position, nearest first.
#[derive(Debug)]
pub(crate) struct BackwardReader<'a> {
    file: &'a TranscriptFile,
    /// Bytes of the file from `data_offset` on. They end with the line end of the line to return next.
    pub(super) data: Vec<u8>,
    data_offset: u64,
}

impl<'a> BackwardReader<'a> {
    /// Starts with the last line.
    pub(crate) fn new(file: &'a TranscriptFile) -> Self {
        Self::before(file, file.end())
    }

    /// Starts with the line before the one at `offset`.
    pub(crate) fn before(file: &'a TranscriptFile, offset: u64) -> Self {
        Self {
            file,
            data: Vec::new(),
            data_offset: offset,
        }
    }

    /// Offset of the line returned last.
    pub(crate) fn position(&self) -> u64 {
        self.data_offset + self.data.len() as u64
    }

    /// The previous line; `None` at the beginning of the file.
    pub(crate) fn previous(&mut self) -> Result<Option<RawLine>, DiskError> {
        if self.position() == 0 {
            return Ok(None);
        }
        if self.data.is_empty() {
            self.prepend()?;
        }
        // The last byte is the line end of the line itself.
        let mut search_to = self.data.len() - 1;
        loop {
            let unsearched = self.data.get(..search_to).unwrap_or_default();
            if let Some(found) = memrchr(b'\n', unsearched) {
                return Ok(Some(self.take_line(found + 1)));
            }
            if self.data_offset == 0 {
                return Ok(Some(self.take_line(0)));
            }
            if self.data.len() as u64 > LINE_BYTES_MAX {
                return self.skip_long().map(Some);
            }
            search_to = self.prepend()?;
        }
    }

    /// The previous line that is not certainly a message; `None` at the beginning of the file. Messages are skipped
    /// where they lie, without a copy of them.
    pub(crate) fn previous_other(&mut self) -> Result<Option<RawLine>, DiskError> {
        loop {
            while let Some(start) = self.line_start_in_data()
                && self.data.get(start..).is_some_and(format::is_plain_message)
            {
                self.data.truncate(start);
            }
            match self.previous()? {
                Some(line) if line.is_plain_message() => {}
                other => return Ok(other),
            }
        }
    }

    /// Where the line to return next begins in `data`; `None` if it begins before it.
    fn line_start_in_data(&self) -> Option<usize> {
        let before_end = self.data.len().checked_sub(1)?;
        let line_end = memrchr(b'\n', self.data.get(..before_end)?)?;
        Some(line_end + 1)
    }

    fn take_line(&mut self, start: usize) -> RawLine {
        let mut bytes = self.data.split_off(start);
        bytes.pop();
        finished(self.position(), bytes)
    }

    /// Loads the bytes before `data` and returns their number.
    fn prepend(&mut self) -> Result<usize, DiskError> {
        // Doubles the buffer, so that the bytes of a long line are moved only a few times.
        let wanted = self.data.len().max(CHUNK_BYTES);
        let n_bytes = usize::try_from(self.data_offset).map_or(wanted, |before| before.min(wanted));
        let start = self.data_offset - n_bytes as u64;
        let mut data = self.file.read(start, n_bytes)?;
        data.append(&mut self.data);
        self.data = data;
        self.data_offset = start;
        Ok(n_bytes)
    }

    fn skip_long(&mut self) -> Result<RawLine, DiskError> {
        let line_end = self.position() - 1;
        self.data = Vec::new();
        while self.data_offset > 0 {
            let n_bytes = chunk_len(self.data_offset);
            self.data_offset -= n_bytes as u64;
            let mut chunk = self.file.read(self.data_offset, n_bytes)?;
            if let Some(found) = memrchr(b'\n', &chunk) {
                chunk.truncate(found + 1);
                self.data = chunk;
                break;
            }
        }
        Ok(RawLine {
            offset: self.position(),
            len: line_end - self.position(),
            text: RawText::TooLong,
        })
    }
}
