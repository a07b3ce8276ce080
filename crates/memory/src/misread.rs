//! Finds files of the workspace with invalid UTF-8 or NUL bytes, and decodes what is readable.
//!
//! Never changes a file.

use std::borrow::Cow;
use std::io::ErrorKind;

use base::Day;
use base::disk::{DiskError, read_all};
use search::NOTE_BYTES_MAX;

use crate::WorkspacePath;
use crate::notes::note_paths;
use crate::owner_files::{Audience, OWNER_FILES, prompt_files};
use crate::workspace::Workspace;

/// A file with invalid UTF-8 or NUL bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misread {
    /// The file.
    pub path: WorkspacePath,
    /// The first line with such bytes.
    pub line: usize,
}

const UNREADABLE: [ErrorKind; 4] = [
    ErrorKind::NotFound,
    ErrorKind::PermissionDenied,
    ErrorKind::FileTooLarge,
    ErrorKind::NotSeekable,
];

impl Workspace {
    /// The misread files among those that prompts show to an audience on this day.
    pub fn misread_in_prompts(
        &self,
        audience: Audience,
        today: Day,
    ) -> Result<Vec<Misread>, DiskError> {
        let is_for = |found: Audience| found == Audience::EverySession || found == audience;
        let files = prompt_files().filter(|(_, own)| is_for(*own));
        let files = files.map(|(name, _)| WorkspacePath::known(name));
        let logs = [today.previous(), today].map(|day| self.log_path(day));
        let logs = logs
            .into_iter()
            .filter(|_| audience == Audience::PrimarySession);
        self.misread(files.chain(logs))
    }

    /// The misread files among all that the program reads.
    pub fn misread_files(&self) -> Result<Vec<Misread>, DiskError> {
        let notes = note_paths(self);
        let steering = OWNER_FILES
            .iter()
            .map(|file| WorkspacePath::known(file.name));
        let steering = steering.filter(|path| !notes.contains(path));
        let steering: Vec<_> = steering.collect();
        self.misread(steering.into_iter().chain(notes))
    }

    fn misread(
        &self,
        paths: impl Iterator<Item = WorkspacePath>,
    ) -> Result<Vec<Misread>, DiskError> {
        let mut found = Vec::new();
        for path in paths {
            let full = path.under(self.root());
            let bytes = match self.disk().stat(&full) {
                Ok(Some(stat)) if !stat.is_dir => read_all(self.disk(), &full, NOTE_BYTES_MAX),
                Ok(_) => continue,
                Err(error) => Err(error),
            };
            let bytes = match bytes {
                Ok(bytes) => bytes,
                // Other checks report what is not a file, cannot be opened or is too large.
                Err(error) if UNREADABLE.contains(&error.kind()) || error.is_link_loop() => {
                    continue;
                }
                Err(error) => return Err(error),
            };
            let line = misread_line(&bytes);
            found.extend(line.map(|line| Misread { path, line }));
        }
        Ok(found)
    }
}

/// Decodes bytes: replaces invalid UTF-8 with replacement characters and drops NUL, which is half of the bytes of
/// ASCII text in UTF-16.
pub(crate) fn readable(bytes: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(bytes);
    if text.contains('\0') {
        Cow::Owned(text.replace('\0', ""))
    } else {
        text
    }
}

/// The first line, from 1, that [`readable`] changes because of invalid UTF-8 or NUL.
pub(crate) fn misread_line(bytes: &[u8]) -> Option<usize> {
    let n_valid = std::str::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), str::len);
    let is_misread = |(at, byte): (usize, &u8)| at == n_valid || *byte == 0;
    let place = bytes.iter().enumerate().position(is_misread)?;
    let before = bytes.iter().take(place);
    Some(1 + before.filter(|byte| **byte == b'\n').count())
}

#[cfg(test)]
#[path = "misread_tests.rs"]
mod tests;
