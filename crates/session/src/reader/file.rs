//! An open transcript: its bytes up to the last line end.
//!
//! Knows lines, not what they say.

use std::io;
use std::path::{Path, PathBuf};

use base::disk::{Disk, DiskError, ReadAt};
use memchr::memrchr;

/// How much is read at once; a hundred lines or so.
pub(super) const CHUNK_BYTES: usize = 64 * 1024;

/// A transcript as it was when it was opened; what is appended later is not seen.
#[derive(Debug)]
pub(crate) struct TranscriptFile {
    file: Box<dyn ReadAt>,
    path: PathBuf,
    len: u64,
    end: u64,
}

/// A line without its line end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RawLine {
    /// Bytes from the beginning of the file.
    pub(crate) offset: u64,
    /// Its length in bytes.
    pub(crate) len: u64,
    /// What it holds.
    pub(crate) text: RawText,
}

/// What a line holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RawText {
    /// These bytes.
    Bytes(Vec<u8>),
    /// More than a line may hold; it was passed over.
    TooLong,
}

impl TranscriptFile {
    /// Opens a transcript and finds its last line end.
    pub(crate) fn open(disk: &dyn Disk, path: &Path) -> Result<Self, DiskError> {
        Self::new(disk.open(path)?, path)
    }

    /// Takes a file that is open.
    pub(crate) fn new(file: Box<dyn ReadAt>, path: &Path) -> Result<Self, DiskError> {
        let len = file.len()?;
        let mut opened = Self {
            file,
            path: path.to_owned(),
            len,
            end: len,
        };
        opened.end = opened.after_last_line_end()?;
        Ok(opened)
    }

    /// The length of the whole file in bytes.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Where the last complete line ends, its line end included.
    pub(crate) fn end(&self) -> u64 {
        self.end
    }

    /// Where it lies.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn read(&self, offset: u64, n_bytes: usize) -> Result<Vec<u8>, DiskError> {
        let mut bytes = vec![0; n_bytes];
        if self.file.read_at(offset, &mut bytes)? < n_bytes {
            let cut = io::Error::new(
                io::ErrorKind::UnexpectedEof,
                "the file was cut while it was read",
            );
            return Err(DiskError::on("read", &self.path)(cut));
        }
        Ok(bytes)
    }

    fn after_last_line_end(&self) -> Result<u64, DiskError> {
        let mut end = self.len;
        while end > 0 {
            let chunk_len = chunk_len(end);
            let start = end - chunk_len as u64;
            if let Some(found) = memrchr(b'\n', &self.read(start, chunk_len)?) {
                return Ok(start + found as u64 + 1);
            }
            end = start;
        }
        Ok(0)
    }
}

/// How many of `available` bytes make the next chunk.
pub(super) fn chunk_len(available: u64) -> usize {
    usize::try_from(available).map_or(CHUNK_BYTES, |available| available.min(CHUNK_BYTES))
}
