//! An open transcript: its bytes up to the last line end.
//!
//! Finds lines, but does not parse them.

use std::io;
use std::path::{Path, PathBuf};

use base::disk::{Disk, DiskError, FileStat, ReadAt};
use memchr::{memchr_iter, memrchr};

use crate::epoch::StateCache;

/// Bytes per read; about a hundred lines.
pub(super) const CHUNK_BYTES: usize = 64 * 1024;

/// A transcript as it was when it was opened; later appends are not visible.
#[derive(Debug)]
pub(crate) struct TranscriptFile {
    file: Box<dyn ReadAt>,
    path: PathBuf,
    len: u64,
    end: u64,
    /// Where its state is kept, and the file as it was before it was opened.
    states: Option<(StateCache, FileStat)>,
}

/// A line, without its line end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RawLine {
    pub(crate) offset: u64,
    /// Its length in bytes.
    pub(crate) len: u64,
    pub(crate) text: RawText,
}

/// The bytes of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RawText {
    /// All of them.
    Bytes(Vec<u8>),
    /// The line exceeds [`LINE_BYTES_MAX`](crate::LINE_BYTES_MAX) and was not loaded.
    TooLong,
}

impl TranscriptFile {
    /// Opens a transcript and finds its last line end.
    pub(crate) fn open(disk: &dyn Disk, path: &Path) -> Result<Self, DiskError> {
        Self::new(disk.open(path)?, path)
    }

    /// Opens a transcript whose state is kept for the next time that it is opened.
    pub(crate) fn open_known(
        disk: &dyn Disk,
        path: &Path,
        states: &StateCache,
    ) -> Result<Self, DiskError> {
        let stat = disk.stat(path)?;
        let states = stat.map(|stat| (states.clone(), stat));
        Ok(Self {
            states,
            ..Self::open(disk, path)?
        })
    }

    /// The same file, with what other readers of it have found.
    #[cfg(test)]
    pub(crate) fn knowing(self, states: &StateCache) -> Self {
        let stat = FileStat {
            len: self.len,
            modified_at: None,
            is_dir: false,
        };
        Self {
            states: Some((states.clone(), stat)),
            ..self
        }
    }

    pub(crate) fn states(&self) -> Option<(&StateCache, &FileStat)> {
        self.states.as_ref().map(|(states, stat)| (states, stat))
    }

    /// Wraps an open file.
    pub(crate) fn new(file: Box<dyn ReadAt>, path: &Path) -> Result<Self, DiskError> {
        let len = file.len()?;
        let mut opened = Self {
            file,
            path: path.to_owned(),
            len,
            end: len,
            states: None,
        };
        opened.end = opened.after_last_line_end()?;
        Ok(opened)
    }

    /// The length of the whole file in bytes.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Offset after the last line end.
    pub(crate) fn end(&self) -> u64 {
        self.end
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn read(&self, offset: u64, n_bytes: usize) -> Result<Vec<u8>, DiskError> {
        let mut bytes = vec![0; n_bytes];
        if self.file.read_at(offset, &mut bytes)? < n_bytes {
            let cut = io::Error::new(
                io::ErrorKind::UnexpectedEof,
                "the file was truncated while it was being read",
            );
            return Err(DiskError::on("read", &self.path)(cut));
        }
        Ok(bytes)
    }

    /// The number of line ends before `offset`.
    pub(crate) fn n_lines_before(&self, offset: u64) -> Result<u64, DiskError> {
        self.n_line_ends(0, offset)
    }

    /// The number of line ends from one offset to another.
    pub(crate) fn n_line_ends(&self, from: u64, offset: u64) -> Result<u64, DiskError> {
        let (mut at, mut n_lines) = (from, 0);
        while at < offset {
            let n_bytes = chunk_len(offset - at);
            n_lines += memchr_iter(b'\n', &self.read(at, n_bytes)?).count() as u64;
            at += n_bytes as u64;
        }
        Ok(n_lines)
    }

    /// The offset of a line by its number, from 1; the end of the last line if there are fewer.
    pub(crate) fn offset_of_line(&self, number: u64) -> Result<u64, DiskError> {
        let (mut at, mut n_before) = (0, number.saturating_sub(1));
        while n_before > 0 && at < self.end {
            let n_bytes = chunk_len(self.end - at);
            let bytes = self.read(at, n_bytes)?;
            let mut ends = memchr_iter(b'\n', &bytes);
            let n_ends = ends.clone().count() as u64;
            if n_ends >= n_before {
                let nth = usize::try_from(n_before - 1)
                    .ok()
                    .and_then(|nth| ends.nth(nth));
                return Ok(nth.map_or(self.end, |found| at + found as u64 + 1));
            }
            n_before -= n_ends;
            at += n_bytes as u64;
        }
        Ok(if n_before == 0 { at } else { self.end })
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

/// Size of the next chunk if `available` bytes remain.
pub(super) fn chunk_len(available: u64) -> usize {
    usize::try_from(available).map_or(CHUNK_BYTES, |available| available.min(CHUNK_BYTES))
}
