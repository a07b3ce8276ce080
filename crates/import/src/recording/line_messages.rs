//! Reads JSON Lines: one message per line, of bounded length.
//!
//! Independent of sessions; stops at a line that is not a message.

use std::io::{self, BufRead, BufReader, Read};
use std::path::PathBuf;

use base::content_hash;
use base::disk::{DiskError, ReadAt};

use super::recorded::{LINE_BYTES_MAX, Recorded, RecordingError};
use super::wire;

/// The messages of a JSON Lines file, in order.
#[derive(Debug)]
pub(super) struct LineMessages {
    path: PathBuf,
    reader: BufReader<FromStart>,
    /// The number of lines read.
    number: u64,
    index: u64,
}

impl Iterator for LineMessages {
    type Item = Result<Recorded, RecordingError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let line = match self.next_line() {
                Ok(line) => line?,
                Err(error) => return Some(Err(error)),
            };
            if !line.bytes.trim_ascii().is_empty() {
                return Some(self.read(&line));
            }
        }
    }
}

impl LineMessages {
    pub(super) fn new(file: Box<dyn ReadAt>, path: PathBuf) -> Self {
        Self {
            path,
            reader: BufReader::new(FromStart { file, offset: 0 }),
            number: 0,
            index: 0,
        }
    }

    /// The next line; `None` at the end of the file.
    pub(super) fn next_line(&mut self) -> Result<Option<RecordedLine>, RecordingError> {
        let mut bytes = Vec::new();
        // Leaves room for the newline and one more byte, which shows that a line is too long.
        let mut bounded = self.reader.by_ref().take(LINE_BYTES_MAX as u64 + 2);
        bounded.read_until(b'\n', &mut bytes).map_err(|error| {
            let failed = error.downcast::<DiskError>();
            failed.unwrap_or_else(DiskError::on("read", &self.path))
        })?;
        if bytes.is_empty() {
            return Ok(None);
        }
        self.number += 1;
        let is_ended = bytes.pop_if(|last| *last == b'\n').is_some();
        if bytes.len() > LINE_BYTES_MAX {
            return Err(RecordingError::TooLong(self.path.clone(), self.number));
        }
        bytes.pop_if(|last| *last == b'\r');
        Ok(Some(RecordedLine {
            number: self.number,
            bytes,
            is_ended,
        }))
    }

    fn read(&mut self, line: &RecordedLine) -> Result<Recorded, RecordingError> {
        let bytes = self.text_of(line)?;
        let parsed = wire::parse(bytes).map_err(|reason| self.not_a_message(line, reason))?;
        let index = self.index;
        self.index += 1;
        Ok(Recorded {
            index,
            hash: content_hash(bytes),
            at: parsed.at,
            origin: parsed.origin,
            message: parsed.message,
        })
    }

    /// Checks that a line is UTF-8 text, and removes a byte order mark.
    fn text_of<'a>(&self, line: &'a RecordedLine) -> Result<&'a [u8], RecordingError> {
        let (path, number) = (self.path.clone(), line.number);
        let mut bytes = line.bytes.as_slice();
        let in_encoding = |path, encoding| RecordingError::Encoding {
            path,
            encoding,
            line: number,
        };
        if number == 1
            && let Some((encoding, n_mark)) = encoding_rs::Encoding::for_bom(bytes)
        {
            if encoding != encoding_rs::UTF_8 {
                return Err(in_encoding(path, encoding.name()));
            }
            bytes = bytes.get(n_mark..).unwrap_or_default();
        }
        if memchr::memchr(0, bytes).is_some() {
            return Err(RecordingError::Binary(path, number));
        }
        match std::str::from_utf8(bytes) {
            Ok(_) => Ok(bytes),
            Err(_) if !line.is_ended => Err(RecordingError::CutOff { path, line: number }),
            // Any bytes are valid in this encoding, which older Western files often use.
            Err(_) => Err(in_encoding(path, "windows-1252")),
        }
    }

    fn not_a_message(&self, line: &RecordedLine, reason: String) -> RecordingError {
        let (path, number) = (self.path.clone(), line.number);
        if number == 1 && line.bytes.trim_ascii_start().starts_with(b"[") {
            RecordingError::Array(path)
        } else if !line.is_ended && self.index > 0 {
            RecordingError::CutOff { path, line: number }
        } else {
            RecordingError::NotAMessage {
                path,
                line: number,
                reason,
            }
        }
    }
}

/// Reads a file sequentially.
#[derive(Debug)]
struct FromStart {
    file: Box<dyn ReadAt>,
    offset: u64,
}

impl Read for FromStart {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read_at(self.offset, buffer);
        let n_read = read.map_err(io::Error::other)?;
        self.offset += n_read as u64;
        Ok(n_read)
    }
}

/// A line without its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RecordedLine {
    /// The line number, from 1.
    pub(super) number: u64,
    pub(super) bytes: Vec<u8>,
    /// Whether the line ends with a newline. The last line of a file that is still being written may not.
    pub(super) is_ended: bool,
}
