//! Lines of a file, one at a time, within a bound.
//!
//! Knows nothing of what the lines say.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use base::disk::{DiskError, ReadAt};

/// The longest line that is read; a recorded message of this size already fills any window.
pub(super) const LINE_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Reads a file line by line.
#[derive(Debug)]
pub(super) struct LineSource {
    reader: BufReader<FromStart>,
    number: u64,
}

/// A file from its first byte on.
#[derive(Debug)]
struct FromStart {
    file: Box<dyn ReadAt>,
    offset: u64,
}

impl Read for FromStart {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n_read = self
            .file
            .read_at(self.offset, buffer)
            .map_err(io::Error::other)?;
        self.offset += n_read as u64;
        Ok(n_read)
    }
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
        let reader = BufReader::new(FromStart { file, offset: 0 });
        Self { reader, number: 0 }
    }

    /// The next line; `None` after the last.
    pub(super) fn next_line(&mut self) -> Result<Option<Line>, LineError> {
        let mut bytes = Vec::new();
        // With room for its end, and one byte more that tells that it is too long.
        let mut bounded = self.reader.by_ref().take(LINE_BYTES_MAX as u64 + 2);
        bounded.read_until(b'\n', &mut bytes).map_err(|error| {
            let failed = error.downcast::<DiskError>();
            LineError::Disk(failed.unwrap_or_else(DiskError::on("read", Path::new("recording"))))
        })?;
        if bytes.is_empty() {
            return Ok(None);
        }
        self.number += 1;
        let is_ended = bytes.pop_if(|last| *last == b'\n').is_some();
        if bytes.len() > LINE_BYTES_MAX {
            return Err(LineError::TooLong {
                number: self.number,
            });
        }
        bytes.pop_if(|last| *last == b'\r');
        Ok(Some(Line {
            number: self.number,
            bytes,
            is_ended,
        }))
    }
}
