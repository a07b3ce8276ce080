//! Adapters to `Read`: a disk file up to a given length, and a hashing reader.

use std::io::{self, Read};

use base::disk::ReadAt;
use sha2::{Digest, Sha256};

/// Reads a file from its start up to a given length.
pub(super) struct FileSlice {
    file: Box<dyn ReadAt>,
    offset: u64,
    end: u64,
}

impl FileSlice {
    pub(super) fn up_to(file: Box<dyn ReadAt>, end: u64) -> Self {
        Self {
            file,
            offset: 0,
            end,
        }
    }
}

impl Read for FileSlice {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end - self.offset).unwrap_or(usize::MAX);
        let n_wanted = buffer.len().min(left);
        let wanted = buffer.get_mut(..n_wanted).unwrap_or_default();
        let n_read = self
            .file
            .read_at(self.offset, wanted)
            .map_err(io::Error::other)?;
        if n_read < n_wanted {
            let cut = "a file shrank while it was read; run the same command again";
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, cut));
        }
        self.offset += n_read as u64;
        Ok(n_read)
    }
}

/// Hashes the bytes read through it.
pub(super) struct Hashing<R> {
    inner: R,
    hash: Sha256,
    n_bytes: u64,
}

impl<R: Read> Hashing<R> {
    pub(super) fn new(inner: R) -> Self {
        Self {
            inner,
            hash: Sha256::new(),
            n_bytes: 0,
        }
    }

    /// The SHA-256 in hex, and the number of bytes read.
    pub(super) fn finish(self) -> (String, u64) {
        (base::hex(&self.hash.finalize()), self.n_bytes)
    }
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n_read = self.inner.read(buffer)?;
        self.hash.update(buffer.get(..n_read).unwrap_or_default());
        self.n_bytes += n_read as u64;
        Ok(n_read)
    }
}
