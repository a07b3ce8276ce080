//! Appends lines to a transcript durably, or reports that it could not.
//!
//! Never changes an acknowledged byte, and stops for good once the end of the file is unknown.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::disk::{self, Disk, DiskError};

use crate::append_error::AppendError;

/// The end of a transcript. Its user must hold the turn lock.
#[derive(Debug)]
pub(crate) struct TranscriptWriter {
    disk: Arc<dyn Disk>,
    path: PathBuf,
    /// Length of the file in bytes; all of it was acknowledged, or found when the turn began.
    len: u64,
    /// Whether the end of the file is unknown, so that nothing more may be appended.
    has_stopped: bool,
    name: NameDurability,
}

/// Whether the file's directory entry is certain to survive a crash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NameDurability {
    /// An append to the file was acknowledged, so it survives.
    Durable,
    /// An earlier process may have crashed between rename and directory sync.
    Unknown,
}

impl TranscriptWriter {
    /// A writer at the end of a file of `len` bytes; 0 if the file does not exist.
    pub(crate) fn new(disk: Arc<dyn Disk>, path: PathBuf, len: u64, name: NameDurability) -> Self {
        Self {
            disk,
            path,
            len,
            has_stopped: false,
            name,
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The length of the file in bytes, as this writer last saw it.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// The current length of the file on disk, in bytes.
    pub(crate) fn len_now(&self) -> Result<u64, AppendError> {
        let stat = self.disk.stat(&self.path);
        let stat = stat.map_err(|source| self.not_written(source))?;
        Ok(stat.map_or(0, |stat| stat.len))
    }

    /// Fails if an earlier failure stopped the writer.
    pub(crate) fn check(&self) -> Result<(), AppendError> {
        if self.has_stopped {
            return Err(AppendError::Stopped(self.path.clone()));
        }
        Ok(())
    }

    /// Refuses all further writes.
    pub(crate) fn stop(&mut self) {
        self.has_stopped = true;
    }

    /// Creates the file with its first lines.
    ///
    /// Durability: after a crash the file exists with all of them, or not at all.
    pub(crate) fn begin(&mut self, header: &[u8]) -> Result<(), AppendError> {
        self.check()?;
        let made = disk::create_dir(&*self.disk, self.directory());
        made.map_err(|source| self.not_written(source))?;
        if let Err(error) = disk::replace(&*self.disk, &self.path, header) {
            return Err(match self.len_now() {
                Ok(0) => self.not_written(error),
                Ok(_) | Err(_) => self.unknown(error),
            });
        }
        self.len = header.len() as u64;
        self.name = NameDurability::Durable;
        Ok(())
    }

    /// Appends complete lines.
    ///
    /// Durability: after `Ok` they survive a crash; before that, any prefix of them may.
    pub(crate) fn append(&mut self, lines: &[u8]) -> Result<(), AppendError> {
        self.check()?;
        if self.name == NameDurability::Unknown {
            let synced = self.disk.sync_dir(self.directory());
            synced.map_err(|source| self.not_written(source))?;
            self.name = NameDurability::Durable;
        }
        let len_after = self.len + lines.len() as u64;
        match disk::append(&*self.disk, &self.path, lines) {
            Ok(()) => {
                self.len = len_after;
                Ok(())
            }
            Err(error) => Err(self.take_back(error, len_after)),
        }
    }

    /// Rolls back a failed write by truncating the file. If all bytes are there, only the sync failed, and the state
    /// of the file is then unknown.
    fn take_back(&mut self, error: DiskError, len_after: u64) -> AppendError {
        let is_back = match self.len_now() {
            Ok(len_now) if len_now == len_after => false,
            Ok(len_now) if len_now == self.len => true,
            Ok(_) => self.disk.truncate(&self.path, self.len).is_ok(),
            Err(_) => false,
        };
        if is_back {
            self.not_written(error)
        } else {
            self.unknown(error)
        }
    }

    /// The error for a failure that left the file unchanged.
    pub(crate) fn not_written(&self, source: DiskError) -> AppendError {
        AppendError::NotWritten(self.path.clone(), source)
    }

    fn unknown(&mut self, source: DiskError) -> AppendError {
        self.stop();
        AppendError::NotDurable(self.path.clone(), source)
    }

    fn directory(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }
}
