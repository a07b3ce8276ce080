//! Adds lines at the end of a transcript, durably or not at all.
//!
//! Never changes a byte that was acknowledged, and stops for good once it cannot tell what the file holds.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::disk::{self, Disk, DiskError};

/// The end of a transcript, under the turn lock.
#[derive(Debug)]
pub(crate) struct Writer {
    disk: Arc<dyn Disk>,
    path: PathBuf,
    /// How long the file is; all of it was acknowledged or found at the beginning of the turn.
    len: u64,
    health: Health,
    name: NameDurability,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Health {
    Sound,
    /// Nothing is known of the end of the file, so that nothing more may be added to it.
    Stopped,
}

/// Whether the name of the file survives a crash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NameDurability {
    /// It does: an entry was acknowledged in it.
    Durable,
    /// A crash may have fallen between the renaming and its sync.
    Unknown,
}

/// An addition that was not made.
#[derive(Debug)]
pub(crate) enum WriteError {
    /// The file is as it was; another try may succeed.
    Unchanged(DiskError),
    /// The end of the file is unknown; this writer writes no more.
    Unknown(DiskError),
    /// So it was said before.
    Stopped,
}

impl Writer {
    /// A writer at the end of a file of `len` bytes; 0 where there is none.
    pub(crate) fn new(disk: Arc<dyn Disk>, path: PathBuf, len: u64, name: NameDurability) -> Self {
        Self {
            disk,
            path,
            len,
            health: Health::Sound,
            name,
        }
    }

    /// The transcript.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// How long the file is as far as this writer knows.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// How long the file is now.
    pub(crate) fn len_now(&self) -> Result<u64, DiskError> {
        Ok(self.disk.stat(&self.path)?.map_or(0, |stat| stat.len))
    }

    /// Fails where the writer has stopped.
    pub(crate) fn check(&self) -> Result<(), WriteError> {
        match self.health {
            Health::Sound => Ok(()),
            Health::Stopped => Err(WriteError::Stopped),
        }
    }

    /// Writes no more.
    pub(crate) fn stop(&mut self) {
        self.health = Health::Stopped;
    }

    /// Makes the file with its first line.
    ///
    /// Durability: the file is there with that line, whole, or it is not there.
    pub(crate) fn begin(&mut self, header: &[u8]) -> Result<(), WriteError> {
        self.check()?;
        self.make_directory().map_err(WriteError::Unchanged)?;
        if let Err(error) = disk::replace(&*self.disk, &self.path, header) {
            return Err(match self.len_now() {
                Ok(0) => WriteError::Unchanged(error),
                Ok(_) | Err(_) => self.unknown(error),
            });
        }
        self.len = header.len() as u64;
        self.name = NameDurability::Durable;
        Ok(())
    }

    /// Adds whole lines.
    ///
    /// Durability: after `Ok` they survive a crash; before, any prefix of them may.
    pub(crate) fn append(&mut self, lines: &[u8]) -> Result<(), WriteError> {
        self.check()?;
        if self.name == NameDurability::Unknown {
            let directory = self.path.parent().unwrap_or(Path::new(""));
            self.disk
                .sync_dir(directory)
                .map_err(WriteError::Unchanged)?;
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

    /// After a failed write the file is cut to what it was. Where all bytes are there it was the sync
    /// that failed, after which nothing may be trusted.
    fn take_back(&mut self, error: DiskError, len_after: u64) -> WriteError {
        let is_back = match self.len_now() {
            Ok(len_now) if len_now == len_after => false,
            Ok(len_now) if len_now == self.len => true,
            Ok(_) => self.disk.truncate(&self.path, self.len).is_ok(),
            Err(_) => false,
        };
        if is_back {
            WriteError::Unchanged(error)
        } else {
            self.unknown(error)
        }
    }

    fn unknown(&mut self, error: DiskError) -> WriteError {
        self.stop();
        WriteError::Unknown(error)
    }

    fn make_directory(&self) -> Result<(), DiskError> {
        match self.path.parent() {
            Some(directory) => disk::create_dir(&*self.disk, directory),
            None => Ok(()),
        }
    }
}
