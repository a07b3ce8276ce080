//! A file that is changed: read whole, and written back only over the content that was read.
//!
//! Never takes a lock, and never overwrites text that another program saved in between.

use std::path::PathBuf;

use base::disk::{DiskError, ReplaceOutcome, read_some, replace_unchanged};

use crate::{FileError, Workspace};

/// Attempts to change a file that another program keeps saving.
const TRIES: usize = 8;

/// A file of the workspace or of its state.
#[derive(Debug)]
pub(crate) struct WorkspaceFile<'w> {
    workspace: &'w Workspace,
    /// With symlinks resolved, so that a write does not replace one.
    path: PathBuf,
    /// Size limit in bytes.
    n_bytes_max: u64,
}

impl<'w> WorkspaceFile<'w> {
    pub(crate) fn new(workspace: &'w Workspace, path: PathBuf, n_bytes_max: u64) -> Self {
        Self {
            workspace,
            path,
            n_bytes_max,
        }
    }

    /// Its content; `None` if it does not exist.
    pub(crate) fn read(&self) -> Result<Option<Vec<u8>>, DiskError> {
        read_some(self.workspace.disk(), &self.path, self.n_bytes_max)
    }

    /// Replaces `found`, the content that was read; makes its folder.
    ///
    /// Durability: after a crash the file has either the old or the new content. A failed sync poisons the workspace.
    pub(crate) fn replace(
        &self,
        found: Option<&[u8]>,
        bytes: &[u8],
    ) -> Result<ReplaceOutcome, DiskError> {
        let workspace = self.workspace;
        workspace.poisoning(workspace.make_dir_of(&self.path))?;
        let replaced = replace_unchanged(workspace.disk(), &self.path, found, bytes);
        workspace.poisoning(replaced)
    }

    /// The same.
    ///
    /// # Errors
    ///
    /// [`FileError::Changed`] if another program saved it since it was read.
    pub(crate) fn overwrite(&self, found: Option<&[u8]>, bytes: &[u8]) -> Result<(), FileError> {
        match self.replace(found, bytes)? {
            ReplaceOutcome::Done => Ok(()),
            ReplaceOutcome::Changed => Err(FileError::Changed(self.name())),
        }
    }

    /// Changes the file to the content that `change` returns (`None` for no change), and calls `change` again if
    /// another program saved the file in between. `change` may keep a copy or commit records first.
    ///
    /// # Errors
    ///
    /// [`FileError::Busy`] if another program saved it at each attempt; its content is that program's.
    pub(crate) fn edit<E: From<FileError>>(
        &self,
        mut change: impl FnMut(Option<&[u8]>) -> Result<Option<Vec<u8>>, E>,
    ) -> Result<(), E> {
        for _ in 0..TRIES {
            let found = self.read().map_err(FileError::from)?;
            let Some(bytes) = change(found.as_deref())? else {
                return Ok(());
            };
            let replaced = self.replace(found.as_deref(), &bytes);
            if replaced.map_err(FileError::from)? == ReplaceOutcome::Done {
                return Ok(());
            }
        }
        Err(FileError::Busy(self.name()).into())
    }

    fn name(&self) -> String {
        self.workspace.name_of(&self.path)
    }
}
