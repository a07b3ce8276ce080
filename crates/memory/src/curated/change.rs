//! Changes `MEMORY.md` and takes changes back, under a lock and against the content that was read.
//!
//! Alone adds to `MEMORY.md`; only forgetting takes lines out besides, under the same lock.

use std::path::PathBuf;

use base::disk::{
    DiskError, Lock, Replaced, by_process, read_some, remove_unchanged, replace_unchanged,
};
use base::{Timestamp, Tz, day, locked_or_disk};

use super::preimage::{Before, ChangeId, MEMORY_BYTES_MAX, Preimage, Preimages, hash};
use super::records::{keep_records, with_records};
use crate::misread::{misread_line, readable};
use crate::tombstone::{TombstoneId, load_tombstones};
use crate::workspace::{MEMORY_FILE, Workspace};

/// `MEMORY.md` was not changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChangeError {
    /// Another process changes it; its id, where it is known.
    #[error("MEMORY.md is locked{}", by_process(*.0))]
    Locked(Option<u32>),
    /// Bytes of it are not UTF-8: what was read is not all that it holds, so that nothing may take its place.
    #[error("MEMORY.md is not UTF-8 at line {0}, so that it is not changed; nothing was written")]
    NotUtf8(usize),
    /// Someone saved it while the change was being made.
    #[error("MEMORY.md was saved by someone else while it was being changed; nothing was written")]
    Changed,
    /// It is a link, or lies below one, that leads out of the workspace.
    #[error("MEMORY.md leads out of the workspace, to {target}", target = .0.display())]
    Outside(PathBuf),
    /// A write was not made durable before, and nothing is known of what the disk holds.
    #[error("MEMORY.md is not written after a failed sync; start the program again")]
    Poisoned,
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

locked_or_disk!(ChangeError);

/// Nothing was taken back.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UndoError {
    /// No change is kept.
    #[error("there is no change of MEMORY.md to take back")]
    Nothing,
    /// The owner changed the file since.
    #[error(
        "MEMORY.md was changed by hand since {at}, when {cause}; taking that back would lose what was written since"
    )]
    Conflict {
        /// When the change was made.
        at: String,
        /// Why.
        cause: String,
        /// What the file held before the change.
        before: String,
    },
    /// Lines of the file were forgotten since.
    #[error(
        "lines of MEMORY.md were forgotten since {at}, when {cause}; taking that back would bring them back"
    )]
    Forgotten {
        /// When the change was made.
        at: String,
        /// Why.
        cause: String,
        /// Under this id they are forgotten.
        id: TombstoneId,
    },
    /// What the file said was redacted since.
    #[error(
        "words of MEMORY.md were redacted since {at}, when {cause}; that cannot be taken back any more"
    )]
    Redacted {
        /// When the change was made.
        at: String,
        /// Why.
        cause: String,
    },
    /// The file could not be changed.
    #[error(transparent)]
    Change(#[from] ChangeError),
}

/// `MEMORY.md`, locked and read.
#[derive(Debug)]
pub struct OpenMemory<'w> {
    workspace: &'w Workspace,
    path: PathBuf,
    found: Option<Vec<u8>>,
    text: String,
    /// The first line that cannot be read whole.
    misread_line: Option<usize>,
    _lock: Lock,
}

impl<'w> OpenMemory<'w> {
    /// Locks the file and reads it; one that is not there is empty.
    pub fn open(workspace: &'w Workspace) -> Result<Self, ChangeError> {
        if workspace.is_poisoned() {
            return Err(ChangeError::Poisoned);
        }
        let lock = workspace.lock_curated()?;
        let path = workspace.inside(MEMORY_FILE)?;
        let path = path.map_err(ChangeError::Outside)?;
        let found = read_some(workspace.disk(), &path, MEMORY_BYTES_MAX)?;
        let bytes = found.as_deref().unwrap_or_default();
        let misread_line = misread_line(bytes);
        let text = with_records(workspace, readable(bytes).into_owned());
        Ok(Self {
            workspace,
            path,
            found,
            text,
            misread_line,
            _lock: lock,
        })
    }

    /// What it says, as far as it can be read, with records that it lost.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The first line that cannot be read whole.
    pub(crate) fn misread_line(&self) -> Option<usize> {
        self.misread_line
    }

    /// The hash of what was read.
    pub(crate) fn hash(&self) -> String {
        hash(self.found.as_deref())
    }

    /// Whether the file holds this.
    pub(crate) fn is(&self, content: Option<&[u8]>) -> bool {
        self.hash() == hash(content)
    }

    /// Whether a text may take the place of what the file holds.
    ///
    /// # Errors
    ///
    /// [`ChangeError::NotUtf8`] where that would lose bytes that were not understood.
    pub(crate) fn check_whole(&self) -> Result<(), ChangeError> {
        match self.misread_line {
            Some(line) => Err(ChangeError::NotUtf8(line)),
            None => Ok(()),
        }
    }

    /// The changes that are kept.
    pub fn preimages(&self) -> Preimages<'w> {
        preimages(self.workspace)
    }

    /// The id that the next change gets.
    pub fn next_id(&self) -> Result<ChangeId, DiskError> {
        let ids = self.preimages().ids()?;
        Ok(ChangeId(ids.last().map_or(1, |id| id.0 + 1)))
    }

    /// Makes `text` the content of the file, and keeps what it held before.
    ///
    /// Durability: the preimage is on the disk before the file changes. After a crash the file holds the
    /// old text or the new one, whole.
    ///
    /// # Errors
    ///
    /// [`ChangeError`]; [`ChangeError::Changed`] where somebody saved the file since it was read.
    pub fn write(&mut self, text: &str, change: MemoryChange<'_>) -> Result<(), ChangeError> {
        if self.found.as_deref() == Some(text.as_bytes()) {
            return Ok(());
        }
        self.check_whole()?;
        let preimages = self.preimages();
        self.workspace
            .poisoning(self.workspace.make_dir(&preimages.directory))?;
        let preimage = Preimage {
            id: change.id,
            at: change.at,
            cause: change.cause.to_owned(),
            candidates: change.candidates.to_vec(),
            before: self.found.clone().map_or(Before::Nothing, Before::Bytes),
            after_hash: hash(Some(text.as_bytes())),
        };
        self.workspace.poisoning(preimages.keep(&preimage))?;
        self.keep_records(text)?;
        match self.put(text.as_bytes())? {
            Replaced::Done => {}
            Replaced::Changed => {
                self.workspace.poisoning(preimages.drop_one(change.id))?;
                return Err(ChangeError::Changed);
            }
        }
        self.found = Some(text.as_bytes().to_vec());
        text.clone_into(&mut self.text);
        self.workspace
            .poisoning(preimages.trim(day(change.at, Tz::UTC)))?;
        Ok(())
    }

    /// The newest change that can be taken back.
    pub fn undoable(&self) -> Result<Preimage, UndoError> {
        let preimages = self.preimages();
        let ids = preimages.ids().map_err(ChangeError::from)?;
        let current = self.hash();
        let mut conflict = None;
        for id in ids.into_iter().rev() {
            let Some(preimage) = preimages.read(id).map_err(ChangeError::from)? else {
                continue;
            };
            let is_redacted = preimage.before == Before::Redacted;
            if preimage.after_hash == current && !is_redacted {
                return Ok(preimage);
            }
            // A change that a crash kept from happening, or that was taken back already.
            if is_redacted || hash(preimage.before.bytes()) != current {
                conflict.get_or_insert(preimage);
            }
            if is_redacted {
                break;
            }
        }
        Err(conflict.map_or(UndoError::Nothing, |preimage| self.conflict(preimage)))
    }

    /// Why a change cannot be taken back after which the file was changed.
    fn conflict(&self, preimage: Preimage) -> UndoError {
        let at = preimage.at.format("%Y-%m-%d").to_string();
        let cause = preimage.cause;
        let bytes = match preimage.before {
            Before::Redacted => return UndoError::Redacted { at, cause },
            Before::Bytes(bytes) => bytes,
            Before::Nothing => Vec::new(),
        };
        // Where that cannot be read, it is not known who changed the file.
        let tombstones = load_tombstones(self.workspace).unwrap_or_default();
        match tombstones.taken_from(MEMORY_FILE, preimage.at) {
            Some(id) => UndoError::Forgotten {
                at,
                cause,
                id: id.clone(),
            },
            None => UndoError::Conflict {
                at,
                cause,
                before: String::from_utf8_lossy(&bytes).into_owned(),
            },
        }
    }

    /// Takes a change back, to the byte.
    ///
    /// # Errors
    ///
    /// [`ChangeError`]; [`ChangeError::Changed`] where somebody saved the file since it was read.
    pub fn undo(&mut self, preimage: &Preimage) -> Result<(), ChangeError> {
        let before = preimage.before.bytes();
        if self.hash() != hash(before) {
            let text = readable(before.unwrap_or_default()).into_owned();
            self.keep_records(&text)?;
            let replaced = match before {
                Some(before) => self.put(before)?,
                None => self.take_away()?,
            };
            if replaced == Replaced::Changed {
                return Err(ChangeError::Changed);
            }
            self.text = text;
            self.misread_line = before.and_then(misread_line);
            self.found = before.map(<[u8]>::to_vec);
        }
        self.workspace
            .poisoning(self.preimages().drop_one(preimage.id))?;
        Ok(())
    }

    /// Where there was no file before, there is none again.
    fn take_away(&self) -> Result<Replaced, ChangeError> {
        let expected = self.found.as_deref().unwrap_or_default();
        let removed = remove_unchanged(self.workspace.disk(), &self.path, expected);
        Ok(self.workspace.poisoning(removed)?)
    }

    /// Those of the text before the change too, for whoever takes it back.
    fn keep_records(&self, text: &str) -> Result<(), ChangeError> {
        let kept = keep_records(self.workspace, &[text, &self.text]);
        Ok(self.workspace.poisoning(kept)?)
    }

    fn put(&self, bytes: &[u8]) -> Result<Replaced, ChangeError> {
        let disk = self.workspace.disk();
        let replaced = replace_unchanged(disk, &self.path, self.found.as_deref(), bytes);
        Ok(self.workspace.poisoning(replaced)?)
    }
}

/// What is known of a change before it is made.
#[derive(Debug, Clone, Copy)]
pub struct MemoryChange<'a> {
    /// Names it.
    pub id: ChangeId,
    /// When it is made.
    pub at: Timestamp,
    /// Why, in a few words: `a dream promoted 2 lines`.
    pub cause: &'a str,
    /// The candidates that it is about.
    pub candidates: &'a [String],
}

/// The changes that are kept of a workspace's long-term memory.
pub(crate) fn preimages(workspace: &Workspace) -> Preimages<'_> {
    Preimages {
        disk: workspace.disk(),
        directory: workspace.layout().preimages(),
    }
}

#[cfg(test)]
#[path = "change_tests.rs"]
mod tests;
