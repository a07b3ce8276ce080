//! Changes `MEMORY.md` and undoes changes, under a lock, and only if the file still has the content that was read.
//!
//! No other code adds to `MEMORY.md`; forgetting also removes lines, under the same lock.

use std::collections::BTreeSet;
use std::path::PathBuf;

use base::disk::{DiskError, Lock, ReplaceOutcome, read_some, remove_unchanged};
use base::{Timestamp, Tz, day};

use super::by_hand::keep_lines_by_hand;
use super::preimage::{ChangeId, ContentBefore, MEMORY_BYTES_MAX, Preimage, Preimages, hash};
use crate::FileError;
use crate::file_error::file_error_from_disk;
use crate::misread::{misread_line, readable};
use crate::note_text::{MemoryText, NoteText};
use crate::tombstone::{TombstoneId, load_tombstones};
use crate::workspace::{MEMORY_FILE, Workspace};
use crate::workspace_file::WorkspaceFile;

/// The undo failed; nothing changed.
#[derive(Debug, thiserror::Error)]
pub enum UndoError {
    /// There is no recorded change.
    #[error("MEMORY.md has no change to undo")]
    Nothing,
    /// The owner changed the file since.
    #[error(
        "MEMORY.md has been edited since the change of {at} ({cause}); undoing it would lose the edits"
    )]
    Conflict {
        /// When the change was made.
        at: String,
        /// The cause of the change.
        cause: String,
        /// The content of the file before the change.
        before: String,
    },
    /// The owner has forgotten lines of the file since.
    #[error(
        "lines of MEMORY.md were forgotten since the change of {at} ({cause}); undoing it would restore them"
    )]
    Forgotten {
        /// When the change was made.
        at: String,
        /// The cause of the change.
        cause: String,
        /// The tombstone of those lines.
        id: TombstoneId,
    },
    /// Words of the file were redacted since.
    #[error(
        "words of MEMORY.md were redacted since the change of {at} ({cause}); it can no longer be undone"
    )]
    Redacted {
        /// When the change was made.
        at: String,
        /// The cause of the change.
        cause: String,
    },
    /// No recorded change has this cause.
    #[error("the copy that is needed to undo this change no longer exists")]
    Unknown,
    /// The line that the change wrote was changed since.
    #[error("MEMORY.md no longer says {line:?}{}", since(.now.as_deref()))]
    Since {
        /// The text of the line.
        line: String,
        /// The text that took its place, if that is known.
        now: Option<String>,
    },
    /// The file could not be changed.
    #[error(transparent)]
    File(#[from] FileError),
}

file_error_from_disk!(UndoError);

impl UndoError {
    /// The cause of the change that cannot be undone.
    pub(crate) fn cause_mut(&mut self) -> Option<&mut String> {
        match self {
            Self::Conflict { cause, .. }
            | Self::Forgotten { cause, .. }
            | Self::Redacted { cause, .. } => Some(cause),
            Self::Nothing | Self::Unknown | Self::Since { .. } | Self::File(_) => None,
        }
    }
}

fn since(now: Option<&str>) -> String {
    now.map_or(
        " as it was written: the line was edited or taken out since".to_owned(),
        |now| format!(", but {now:?}"),
    )
}

/// `MEMORY.md`, locked and loaded.
#[derive(Debug)]
pub struct OpenMemory<'w> {
    workspace: &'w Workspace,
    path: PathBuf,
    found: Option<Vec<u8>>,
    text: MemoryText,
    /// The first line with invalid UTF-8.
    misread_line: Option<usize>,
    _lock: Lock,
}

impl<'w> OpenMemory<'w> {
    /// Locks and reads the file; a missing file reads as empty.
    pub fn open(workspace: &'w Workspace) -> Result<Self, FileError> {
        if workspace.is_poisoned() {
            return Err(FileError::Poisoned(MEMORY_FILE.to_owned()));
        }
        let lock = workspace.lock_curated()?;
        let path = workspace.inside(MEMORY_FILE)?;
        let path = path.map_err(|target| FileError::Outside(MEMORY_FILE.to_owned(), target))?;
        let found = read_some(workspace.disk(), &path, MEMORY_BYTES_MAX)?;
        let bytes = found.as_deref().unwrap_or_default();
        let misread_line = misread_line(bytes);
        let text = curated_text(workspace, MEMORY_FILE, &readable(bytes));
        Ok(Self {
            workspace,
            path,
            found,
            text,
            misread_line,
            _lock: lock,
        })
    }

    /// The decoded content.
    pub fn text(&self) -> &MemoryText {
        &self.text
    }

    /// The first line with invalid UTF-8.
    pub(crate) fn misread_line(&self) -> Option<usize> {
        self.misread_line
    }

    /// The hash of the content that was read.
    pub(crate) fn hash(&self) -> String {
        hash(self.found.as_deref())
    }

    /// Whether `content` is what was read.
    pub(crate) fn is(&self, content: Option<&[u8]>) -> bool {
        self.hash() == hash(content)
    }

    /// Checks that the file may be overwritten.
    ///
    /// # Errors
    ///
    /// [`FileError::NotUtf8`] if that would lose bytes that could not be decoded.
    pub(crate) fn check_whole(&self) -> Result<(), FileError> {
        match self.misread_line {
            Some(line) => Err(FileError::NotUtf8(MEMORY_FILE.to_owned(), line)),
            None => Ok(()),
        }
    }

    /// The recorded changes.
    pub fn preimages(&self) -> Preimages<'w> {
        preimages(self.workspace)
    }

    /// The id of the next change.
    pub fn next_id(&self) -> Result<ChangeId, DiskError> {
        let ids = self.preimages().ids()?;
        Ok(ChangeId(ids.last().map_or(1, |id| id.0 + 1)))
    }

    /// Whether the file holds this text, as this version writes it.
    pub(crate) fn holds(&self, text: &NoteText<'_>) -> bool {
        let (written, _) = self.workspace.ledger().written(MEMORY_FILE, text);
        self.is(Some(written.as_bytes()))
    }

    /// Replaces the content of the file with `text`, and keeps the preimage.
    ///
    /// Durability: records and preimage are on disk before the file changes. After a crash the file has either the old
    /// or the new content, never a mix.
    ///
    /// # Errors
    ///
    /// [`FileError`]; [`FileError::Changed`] if another program has saved the file since it was read.
    pub fn write(
        &mut self,
        text: &NoteText<'_>,
        change: MemoryChange<'_>,
    ) -> Result<(), FileError> {
        let (written, records) = self.workspace.ledger().written(MEMORY_FILE, text);
        if self.found.as_deref() == Some(written.as_bytes()) {
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
            before: self
                .found
                .clone()
                .map_or(ContentBefore::Nothing, ContentBefore::Bytes),
            after_hash: hash(Some(written.as_bytes())),
        };
        self.workspace.poisoning(preimages.keep(&preimage))?;
        if !records.is_empty() {
            self.workspace.commit_records(&records)?;
        }
        match self.put(written.as_bytes())? {
            ReplaceOutcome::Done => {}
            ReplaceOutcome::Changed => {
                self.workspace.poisoning(preimages.drop_one(change.id))?;
                return Err(FileError::Changed(MEMORY_FILE.to_owned()));
            }
        }
        self.text = curated_text(self.workspace, MEMORY_FILE, &written);
        self.found = Some(written.into_bytes());
        self.workspace
            .poisoning(preimages.trim(day(change.at, Tz::UTC)))?;
        Ok(())
    }

    /// The newest change that can be undone.
    pub fn undoable(&self) -> Result<Preimage, UndoError> {
        let preimages = self.preimages();
        let ids = preimages.ids()?;
        let current = self.hash();
        let mut conflict = None;
        for id in ids.into_iter().rev() {
            let Some(preimage) = preimages.read(id)? else {
                continue;
            };
            let is_redacted = preimage.before == ContentBefore::Redacted;
            if preimage.after_hash == current && !is_redacted {
                return Ok(preimage);
            }
            // Otherwise a crash prevented the change or it was already undone: skip it.
            if is_redacted || hash(preimage.before.bytes()) != current {
                conflict.get_or_insert(preimage);
            }
            if is_redacted {
                break;
            }
        }
        Err(conflict.map_or(UndoError::Nothing, |preimage| self.conflict(preimage)))
    }

    /// The newest change that is meant.
    pub(crate) fn newest_change(
        &self,
        is_meant: impl Fn(&Preimage) -> bool,
    ) -> Result<Option<Preimage>, UndoError> {
        let preimages = self.preimages();
        let ids = preimages.ids()?;
        for id in ids.into_iter().rev() {
            let found = preimages.read(id)?;
            if let Some(found) = found.filter(&is_meant) {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// The text before a change.
    ///
    /// # Errors
    ///
    /// [`UndoError::Redacted`].
    pub(crate) fn text_before(&self, preimage: &Preimage) -> Result<MemoryText, UndoError> {
        if preimage.before == ContentBefore::Redacted {
            return Err(self.conflict(preimage.clone()));
        }
        let bytes = preimage.before.bytes().unwrap_or_default();
        let text = readable(bytes);
        Ok(curated_text(self.workspace, MEMORY_FILE, &text))
    }

    /// The error for a change that cannot be undone because the file was changed after it.
    fn conflict(&self, preimage: Preimage) -> UndoError {
        let at = preimage.at.format("%Y-%m-%d").to_string();
        let cause = preimage.cause;
        let bytes = match preimage.before {
            ContentBefore::Redacted => return UndoError::Redacted { at, cause },
            ContentBefore::Bytes(bytes) => bytes,
            ContentBefore::Nothing => Vec::new(),
        };
        // If the tombstones cannot be read, report a change by hand.
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

    /// Undoes a change, byte for byte.
    ///
    /// # Errors
    ///
    /// [`FileError`]; [`FileError::Changed`] if another program has saved the file since it was read.
    pub fn undo(&mut self, preimage: &Preimage) -> Result<(), FileError> {
        let before = preimage.before.bytes();
        if self.hash() != hash(before) {
            let text = readable(before.unwrap_or_default()).into_owned();
            let replaced = match before {
                Some(before) => self.put(before)?,
                None => self.take_away()?,
            };
            if replaced == ReplaceOutcome::Changed {
                return Err(FileError::Changed(MEMORY_FILE.to_owned()));
            }
            self.text = curated_text(self.workspace, MEMORY_FILE, &text);
            self.misread_line = before.and_then(misread_line);
            self.found = before.map(<[u8]>::to_vec);
        }
        self.workspace
            .poisoning(self.preimages().drop_one(preimage.id))?;
        Ok(())
    }

    /// Removes the file: it did not exist before the change.
    fn take_away(&self) -> Result<ReplaceOutcome, FileError> {
        let expected = self.found.as_deref().unwrap_or_default();
        let removed = remove_unchanged(self.workspace.disk(), &self.path, expected);
        Ok(self.workspace.poisoning(removed)?)
    }

    fn put(&self, bytes: &[u8]) -> Result<ReplaceOutcome, FileError> {
        let kept = keep_lines_by_hand(self.workspace, self.text());
        self.workspace.poisoning(kept)?;
        let file = WorkspaceFile::new(self.workspace, self.path.clone(), MEMORY_BYTES_MAX);
        Ok(file.replace(self.found.as_deref(), bytes)?)
    }
}

/// The lines of `MEMORY.md` or of the archive, without the comments of earlier versions.
pub(crate) fn curated_text(workspace: &Workspace, file: &str, text: &str) -> MemoryText {
    let ledger = workspace.ledger();
    let taken = ledger.taken_over(file, text.as_bytes(), &BTreeSet::new());
    let text = String::from_utf8_lossy(&taken.bytes);
    ledger.with(&taken.records).read(file, &text).into_owned()
}

/// The description of a change.
#[derive(Debug, Clone, Copy)]
pub struct MemoryChange<'a> {
    pub id: ChangeId,
    /// When it is made.
    pub at: Timestamp,
    /// The cause in a few words: `a dream promoted 2 lines`.
    pub cause: &'a str,
    /// The ids of the candidates involved.
    pub candidates: &'a [String],
}

/// The recorded changes of `MEMORY.md` in a workspace.
pub(crate) fn preimages(workspace: &Workspace) -> Preimages<'_> {
    Preimages {
        disk: workspace.disk(),
        directory: workspace.layout().preimages(),
    }
}

#[cfg(test)]
#[path = "change_tests.rs"]
mod tests;
